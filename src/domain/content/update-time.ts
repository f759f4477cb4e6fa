// When a version counts as last changed (R45): what `apply` stores where triggers would only know the time of the write.

type Times = Readonly<{ publishedAt: string | null; updatedAt?: string | null | undefined }>;

/**
 * Of a new version: the time in the document, or else the date of its publication, so that loading old versions does not
 * mark them as changed today. Without a date, or with one in the future, the time of the write.
 */
export function timeOfNew({ publishedAt, updatedAt }: Times, now: string, latest: string): string {
  return updatedAt ?? (publishedAt !== null && publishedAt <= latest ? publishedAt : now);
}

/**
 * Of an existing version: the time in the document if it is later than the stored one, as in the export of a copy that
 * has moved on. Otherwise the document is edited after its export, and the time of the write counts. Never goes back.
 */
export function timeOfExisting(
  stored: string,
  { updatedAt }: Times,
  { isChanged, now }: { isChanged: boolean; now: string },
): string {
  if (updatedAt && updatedAt > stored) return updatedAt;
  if (!isChanged) return stored;
  return now > stored ? now : new Date(Date.parse(stored) + 1).toISOString();
}
