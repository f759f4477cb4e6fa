import { afterUrlOf, frameVersion, writeVersionContent } from '../../present/pages/version-page.ts';
import { beforeOf } from '../../present/pages/version-parts.ts';
import { findPrevious } from '../../store/read/find-previous.ts';
import { findVersion } from '../../store/read/find-version.ts';
import type { WriteBody } from '../cache/body.ts';
import { HTML_TYPE } from '../pipeline/send.ts';
import { readOf } from '../read.ts';
import { asPage } from '../writing/page.ts';
import { renderVersion } from '../writing/rendered.ts';
import { allChanges, inStateOf } from '../writing/walk.ts';

export const versionHtml = readOf({
  contentType: HTML_TYPE,
  find: (db, { params }, visible) => findVersion(db, params, params.versionId, visible),
  present: (found, { params, render, site }, visible) => {
    const { head } = found;
    const text: WriteBody = async (out, read) => {
      const changes = await allChanges(found, { path: params, visible, read });
      const version = await renderVersion(head, { ...found.version, changes }, render, 2);
      const { label } = version;
      const previous = await inStateOf(found, read)((db) => findPrevious(db, params, visible, [label]));
      const { start, end } = frameVersion(site, {
        head,
        version,
        before: beforeOf(site, head, { depth: 'version', label, before: previous.labels.get(label) }),
        afterUrl: afterUrlOf(site, head, { label, highest: previous.highest }),
      });
      await out.add(start);
      for (const piece of writeVersionContent({ head, version })) await out.add(piece);
      await out.add(end);
    };
    return { ...asPage(site, head, text), origin: head };
  },
});
