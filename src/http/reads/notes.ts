// Release notes of one version, or of all between two, in each form (R54).
import type { VisibleRows } from '../../domain/access/visibility.ts';
import type { MaybePromise } from '../../domain/maybe-promise.ts';
import { ApiError } from '../../errors.ts';
import { onlyMatching } from '../../present/changelog.ts';
import type { NotesForm } from '../../present/notes/form.ts';
import type { Reader } from '../../store/engine/engine.ts';
import { findVersion } from '../../store/read/find-version.ts';
import { type FullVersion, findIndexedPage, type IndexedPage } from '../../store/read/pages.ts';
import type { AtRevision, HeadRow } from '../../store/read/reads.ts';
import type { ReadMore } from '../cache/body.ts';
import type { Representation } from '../cache/make-response.ts';
import { RANGE_PARAMETERS } from '../query/parameters.ts';
import { type OperationText, type Read, type ReadRequest, readOf } from '../read.ts';
import { allChanges } from './writing.ts';

export function versionNotes(form: NotesForm): Read {
  return readOf({
    ...describe(form, {
      name: `Notes${form.name}`,
      summary: `The release notes of a version as ${form.label}.`,
      description:
        'The description, then the changes: breaking ones first, then security fixes. Without a heading; empty if there is nothing to say.',
      isTitled: false,
    }),
    find: (db, { params }, visible) => findVersion(db, params, params.versionId, visible),
    present: (found, { params: path, render }, visible) => {
      const { head, version } = found;
      const about = { head, render, title: `${head.productName} ${version.label}`, isTitled: false };
      return present(form, about, async (read) => [
        { ...version, changes: await allChanges(found, { path, visible, read }) },
      ]);
    },
  });
}

export function rangeNotes(form: NotesForm): Read {
  return readOf({
    ...describe(form, {
      name: `Changes${form.name}`,
      summary: `The release notes between two versions as ${form.label}.`,
      description:
        'The notes of all versions after `from`, up to and including `to`, newest first, each below a heading with label, title and date. With `type` or `breaking`, only versions and changes that match. A range of more than 500 versions or 5,000 changes is 400.',
      isTitled: true,
    }),
    parameters: RANGE_PARAMETERS,
    isLong: true,
    find: findRange,
    present: ({ head, versions }, { query, render }) =>
      present(form, { head, render, title: head.changelogName, isTitled: true }, () =>
        versions.map((version) => onlyMatching(query.feed, version)),
      ),
  });
}

function describe(
  form: NotesForm,
  { isTitled, ...operation }: OperationText & Readonly<{ isTitled: boolean }>,
): Pick<Read, 'contentType' | 'operation'> {
  /** Its code is loaded only for the OpenAPI document. */
  const example = async () => {
    const { exampleRows } = await import('../../reference/example.ts');
    const { renderAtOnce } = await import('../../text/parse.ts');
    const { head, version } = exampleRows();
    const { start, end } = form.frame(head, head.changelogName);
    return start + (await form.writeVersion(version, { head, render: renderAtOnce, isTitled })) + end;
  };
  const contentType = `${form.mediaType}; charset=utf-8`;
  return { contentType, operation: { ...operation, publicTag: 'Notes', example } };
}

type About = Pick<ReadRequest, 'render'> & Readonly<{ head: HeadRow; title: string; isTitled: boolean }>;

function present(
  form: NotesForm,
  { title, ...context }: About,
  versionsOf: (read: ReadMore) => MaybePromise<readonly FullVersion[]>,
): Representation {
  const { head } = context;
  const frame = form.frame(head, title);
  return {
    text: async (out, read) =>
      await out.addFramed(frame, await versionsOf(read), (version) => form.writeVersion(version, context)),
    head: frame.headers,
    origin: head,
  };
}

/** A range is one response of bounded length (R51). */
const RANGE_VERSIONS_MAX = 500;
const RANGE_CHANGES_MAX = 5_000;

export async function findRange(
  db: Reader,
  { params, query }: Pick<ReadRequest, 'params' | 'query'>,
  visible: VisibleRows,
): Promise<AtRevision<IndexedPage>> {
  const limits = { limit: RANGE_VERSIONS_MAX, withChanges: true };
  const range = await findIndexedPage(db, params, visible, { ...query.feed, ...limits });
  const { versions = [], end = null } = range.found ?? {};
  const changes = versions.reduce((sum, { changeCount }) => sum + changeCount, 0);
  if (end === null && isShortRange(versions.length, changes)) return range;
  throw new ApiError('bad_request', {
    message: `The range has more than ${RANGE_VERSIONS_MAX} versions, ${RANGE_CHANGES_MAX} changes or 2 MB of text. Narrow it with from, to or type.`,
  });
}

/** Whether the range routes accept a range, if its texts are not extremely long. */
export const isShortRange = (versions: number, changes: number) =>
  versions <= RANGE_VERSIONS_MAX && changes <= RANGE_CHANGES_MAX;
