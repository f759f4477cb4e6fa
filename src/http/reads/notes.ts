// Release notes of one version, or of all between two, in each form (R54).

import { withLinkBase } from '../../present/html/relative-links.ts';
import type { NotesForm } from '../../present/notes/form.ts';
import { onlyMatching } from '../../present/version.ts';
import { findVersion } from '../../store/read/find-version.ts';
import type { WriteBody } from '../cache/body.ts';
import { RANGE_PARAMETERS } from '../query/parameters.ts';
import type { OperationText, Read } from '../read.ts';
import { findRange } from '../writing/range.ts';
import { allChanges } from '../writing/walk.ts';

export function versionNotes(form: NotesForm): Read {
  return {
    contentType: `${form.mediaType}; charset=utf-8`,
    operation: {
      name: `Notes${form.name}`,
      summary: `The release notes of a version as ${form.label}.`,
      description:
        'The description, then the changes: breaking ones first, then security fixes. Without a heading; empty if there is nothing to say.',
      publicTag: 'Notes',
      example: exampleOf(form, false),
    },
    find: async (db, { params, render }, visible) => {
      const name = decodeURIComponent(params.versionId);
      const { revision, found } = await findVersion(db, params, name, visible);
      if (found === undefined) return { revision, found };
      const { head, version } = found;
      const context = { head, render: withLinkBase(render, head.linkBase), isTitled: false };
      const { start, end, headers } = form.frame(head, `${head.productName} ${version.label}`);
      const text: WriteBody = async (out, read) => {
        const changes = await allChanges(found, { path: params, visible, read });
        await out.add(start);
        await out.add(await form.writeVersion({ ...version, changes }, context));
        await out.add(end);
      };
      return { revision, found: { text, head: headers, origin: head } };
    },
  };
}

export function rangeNotes(form: NotesForm): Read {
  return {
    contentType: `${form.mediaType}; charset=utf-8`,
    operation: {
      name: `Changes${form.name}`,
      summary: `The release notes between two versions as ${form.label}.`,
      description:
        'The notes of all versions after `from`, up to and including `to`, newest first, each below a heading with label, title and date. With `type` or `breaking`, only versions and changes that match. A range of more than 500 versions or 5,000 changes is 400.',
      publicTag: 'Notes',
      example: exampleOf(form, true),
    },
    parameters: RANGE_PARAMETERS,
    isLong: true,
    find: async (db, { params, query, render }, visible) => {
      const { revision, found } = await findRange(db, params, visible, query.feed);
      if (found === undefined) return { revision, found };
      const { head, versions } = found;
      const context = { head, render: withLinkBase(render, head.linkBase), isTitled: true };
      const { start, between, end, headers } = form.frame(head, head.changelogName);
      const text: WriteBody = async (out) => {
        await out.add(start);
        const matching = versions.map((version) => onlyMatching(query.feed, version));
        await out.addList(matching, (version) => form.writeVersion(version, context), between);
        await out.add(end);
      };
      return { revision, found: { text, head: headers, origin: head } };
    },
  };
}

/** The code of examples is loaded only for the OpenAPI document. */
function exampleOf(form: NotesForm, isTitled: boolean): NonNullable<OperationText['example']> {
  return async () => {
    const { exampleRows, renderExample } = await import('../../present/outputs/example.ts');
    const { head, version } = exampleRows();
    const { start, end } = form.frame(head, head.changelogName);
    return start + (await form.writeVersion(version, { head, render: renderExample, isTitled })) + end;
  };
}
