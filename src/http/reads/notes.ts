// Release notes of one version, or of all between two, in each form (R54).
import type { MaybePromise } from '../../domain/maybe-promise.ts';
import { onlyMatching } from '../../present/changelog.ts';
import type { NotesContext, NotesForm } from '../../present/notes/form.ts';
import { findVersion } from '../../store/read/find-version.ts';
import type { FullVersion } from '../../store/read/pages.ts';
import type { HeadRow } from '../../store/read/reads.ts';
import type { ReadMore, WriteBody } from '../cache/body.ts';
import { RANGE_PARAMETERS } from '../query/parameters.ts';
import { type OperationText, type Read, type RowsRead, readOf } from '../read.ts';
import { findRange } from '../writing/range.ts';
import { allChanges } from '../writing/walk.ts';

export function versionNotes(form: NotesForm): Read {
  return readNotes(form, {
    name: `Notes${form.name}`,
    summary: `The release notes of a version as ${form.label}.`,
    description:
      'The description, then the changes: breaking ones first, then security fixes. Without a heading; empty if there is nothing to say.',
    isTitled: false,
    find: (db, { params }, visible) => findVersion(db, params, params.versionId, visible),
    titleOf: ({ head, version }) => `${head.productName} ${version.label}`,
    versionsOf: async (found, { params }, visible, read) => [
      { ...found.version, changes: await allChanges(found, { path: params, visible, read }) },
    ],
  });
}

export function rangeNotes(form: NotesForm): Read {
  return readNotes(form, {
    name: `Changes${form.name}`,
    summary: `The release notes between two versions as ${form.label}.`,
    description:
      'The notes of all versions after `from`, up to and including `to`, newest first, each below a heading with label, title and date. With `type` or `breaking`, only versions and changes that match. A range of more than 500 versions or 5,000 changes is 400.',
    isTitled: true,
    parameters: RANGE_PARAMETERS,
    isLong: true,
    find: findRange,
    titleOf: ({ head }) => head.changelogName,
    versionsOf: ({ versions }, { query }) => versions.map((version) => onlyMatching(query.feed, version)),
  });
}

type NotesOptions<Rows> = Pick<OperationText, 'name' | 'summary' | 'description'> &
  Omit<RowsRead<Rows>, 'contentType' | 'operation' | 'present'> &
  Pick<NotesContext, 'isTitled'> &
  Readonly<{
    titleOf: (found: Rows) => string;
    versionsOf: (
      ...args: [...Parameters<RowsRead<Rows>['present']>, read: ReadMore]
    ) => MaybePromise<readonly FullVersion[]>;
  }>;

function readNotes<Rows extends Readonly<{ head: HeadRow }>>(
  form: NotesForm,
  { name, summary, description, isTitled, titleOf, versionsOf, ...read }: NotesOptions<Rows>,
): Read {
  return readOf({
    ...read,
    contentType: `${form.mediaType}; charset=utf-8`,
    operation: { name, summary, description, publicTag: 'Notes', example: exampleOf(form, isTitled) },
    present: (found, request, visible) => {
      const { head } = found;
      const context = { head, render: request.render, isTitled };
      const frame = form.frame(head, titleOf(found));
      const text: WriteBody = async (out, more) => {
        const versions = await versionsOf(found, request, visible, more);
        await out.addFramed(frame, versions, (version) => form.writeVersion(version, context));
      };
      return { text, head: frame.headers, origin: head };
    },
  });
}

/** The code of examples is loaded only for the OpenAPI document. */
function exampleOf(form: NotesForm, isTitled: boolean): NonNullable<OperationText['example']> {
  return async () => {
    const { exampleRows } = await import('../../reference/example.ts');
    const { renderAtOnce } = await import('../../text/parse.ts');
    const { head, version } = exampleRows();
    const { start, end } = form.frame(head, head.changelogName);
    return start + (await form.writeVersion(version, { head, render: renderAtOnce, isTitled })) + end;
  };
}
