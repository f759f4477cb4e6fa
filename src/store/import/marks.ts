// Import marks: a fingerprint of what the last import wrote of each version, so that the next import recognises manual
// edits. They are in a table of their own, because writing one must not change a revision or a response.
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { COMMAND } from '../../command-name.ts';
import type { VersionContent } from '../../domain/content/content.ts';
import type { ImportedState } from '../../domain/content/import-decision.ts';
import { VERSION_STATES } from '../../domain/model.ts';
import { otherLabel } from '../../domain/version-names.ts';
import { Refusal } from '../../errors.ts';
import { findVersionId } from '../catalogue/catalogue.ts';
import { findVersions, versionContent } from '../catalogue/content.ts';
import { formatPath } from '../catalogue/not-found.ts';
import { batches } from '../engine/batches.ts';
import type { Writer } from '../engine/engine.ts';
import { rowsOf } from '../engine/rows.ts';
import type { ProductPath } from '../read/reads.ts';
import { requireEditableVersion } from '../write/writes.ts';

/** A version of the changelog, and what the last import left: null if no import has seen it. */
export type MarkedHead = Readonly<{ id: string; label: string; mark: string | null }>;

export type MarkedVersion = Readonly<{
  content: ReturnType<typeof versionContent>;
  mark: ImportedState | null;
}>;

const MARKED = sql`versions v left join import_marks m on m.version_id = v.id`;

export async function listMarked(trx: Writer, changelogId: string): Promise<MarkedHead[]> {
  return await rowsOf<MarkedHead>(trx)`
    select v.id, v.label, m.mark from ${MARKED} where v.changelog_id = ${changelogId} order by v.id`;
}

/** The same with their content, by label. */
export async function findMarked(
  trx: Writer,
  heads: readonly MarkedHead[],
): Promise<Map<string, MarkedVersion>> {
  const ids = heads.map(({ id }) => id);
  const versions = await findVersions(trx, ids);
  return new Map(
    heads.flatMap(({ id, label, mark }) => {
      const version = versions.get(id);
      return version ? [[label, { content: versionContent(version), mark: parseMark(mark) }]] : [];
    }),
  );
}

/** `where true` tells SQLite that `on conflict` does not belong to the join. */
export async function writeMarks(
  trx: Writer,
  changelogId: string,
  marks: readonly Readonly<{ label: string; mark: ImportedState }>[],
): Promise<void> {
  for (const some of batches(marks)) {
    const rows = some.map(({ label, mark }) => sql`(${label}, ${formatMark(mark)})`);
    await sql`insert into import_marks (version_id, mark)
      select versions.id, source.column2 from (values ${sql.join(rows)}) as source
        join versions on versions.changelog_id = ${changelogId} and versions.label = source.column1
        where true
      on conflict (version_id) do update set mark = excluded.mark`.execute(trx);
  }
}

const RENAMED = ' renamed ';
/** The fingerprint that a draft had in the source before it was renamed; undefined for all others. */
export const formerOf = ({ mark }: Pick<MarkedHead, 'mark'>) => mark?.split(RENAMED)[1];

type NewName = Readonly<{ as?: string | undefined; isUnreleasedName: (label: string) => boolean }>;

/** Renames a draft if `as` is given. Otherwise its name must not say that it is not released (R70). */
export async function nameForRelease(
  trx: Writer,
  path: ProductPath,
  idOrLabel: string,
  { as, isUnreleasedName }: NewName,
): Promise<void> {
  const id = await requireEditableVersion(trx, path, idOrLabel);
  const [head] = (await rowsOf(trx)`
    select v.id, v.label, v.status, m.mark from ${MARKED} where v.id = ${id}`) as [
    MarkedHead & { status: string },
  ];
  const { label, status } = head;
  const product = formatPath(path);
  if (status === 'draft' && isUnreleasedName(as ?? label))
    throw new Refusal(
      `"${as ?? label}" says that a version is not released; publish it under a label of its own, such as \`${COMMAND} version publish ${product} "${label}" --as 1.3.0\`.`,
    );
  if (as === undefined || as === label) return;
  if (status === 'published')
    throw new Refusal(`the version ${label} of ${product} is already published; --as renames only drafts.`);
  for (const same of [as, otherLabel(as)])
    if (same !== label && (await findVersionId(trx, path, same)) !== undefined)
      throw new Refusal(`${product} already has a version ${same}; choose another label.`);
  await markAsRenamed(trx, head, as);
  await sql`update versions set label = ${as} where id = ${id}`.execute(trx);
}

/** The next import compares it under its new label, and recognises a source that still has the old one. */
async function markAsRenamed(trx: Writer, head: MarkedHead, label: string): Promise<void> {
  const { content, mark: was } = (await findMarked(trx, [head])).get(head.label) ?? {};
  if (content === undefined || was == null) return;
  const isEdited = fingerprintOf(content) !== was.content;
  const next = isEdited ? was.content : fingerprintOf({ ...content, version: label });
  const mark = next + RENAMED + (formerOf(head) ?? was.content);
  await sql`update import_marks set mark = ${mark} where version_id = ${head.id}`.execute(trx);
}

/** Covers everything in a version except when it was published. */
export function fingerprintOf({ version, title, description, links, yanked, changes }: VersionContent) {
  const written = changes.map(({ type, text, breaking }) => [type, text, breaking]);
  return textMark(JSON.stringify([version, title, description, yanked, written, links?.compare]));
}

/** For the description of a changelog. */
export function textMark(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** `FINGERPRINT`, or `FINGERPRINT STATUS DATE` with a dash for no date; `FINGERPRINT renamed FORMER` after a rename. */
function formatMark({ content, publication }: ImportedState): string {
  return publication === null
    ? content
    : `${content} ${publication.status} ${publication.publishedAt ?? '-'}`;
}

function parseMark(text: string | null): ImportedState | null {
  if (text === null) return null;
  const [content = '', status, publishedAt = '-'] = text.split(' ');
  const known = VERSION_STATES.find((state) => state === status);
  if (known === undefined) return { content, publication: null };
  return { content, publication: { status: known, publishedAt: publishedAt === '-' ? null : publishedAt } };
}
