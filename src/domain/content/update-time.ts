// When a version last changed (R45). `apply` stores it because triggers know only the time of the write.
import { laterThan } from '../timestamp.ts';

type Times = Readonly<{ publishedAt: string | null; updatedAt?: string | null | undefined }>;

/**
 * A new version's time is the document's, otherwise its publication date, so that loading old versions does not mark
 * them as changed today. Without a date, or with one in the future, it is the time of the write.
 */
export function timeOfNew({ publishedAt, updatedAt }: Times, now: string, latest: string): string {
  return updatedAt ?? (publishedAt !== null && publishedAt <= latest ? publishedAt : now);
}

/**
 * An existing version's time is the document's if that is later than the stored one, as in an export of a newer copy.
 * Otherwise the document was edited after its export, and the time of the write counts. Never goes back.
 */
export function timeOfExisting(
  stored: string,
  { updatedAt }: Times,
  { isChanged, now }: { isChanged: boolean; now: string },
): string {
  if (updatedAt && updatedAt > stored) return updatedAt;
  if (!isChanged) return stored;
  return now > stored ? now : laterThan(stored, 1);
}
