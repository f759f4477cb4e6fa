import { frameVersion, writeVersionContent } from '../../present/pages/version-page.ts';
import { findVersion } from '../../store/read/find-version.ts';
import type { WriteBody } from '../cache/body.ts';
import { PRODUCT_PATTERN } from './changelog-html.ts';
import { type PageResource, PUBLIC } from './page-route.ts';
import { renderVersion } from './rendered.ts';
import { pageHead } from './site.ts';
import { allChanges } from './walk.ts';

export const versionPage: PageResource = {
  pattern: `${PRODUCT_PATTERN}/versions/:versionId`,
  parameters: [],
  form: null,
  isLong: false,
  find: async (db, { params, render, site }) => {
    const name = decodeURIComponent(params.versionId);
    const { revision, found } = await findVersion(db, params, name, PUBLIC);
    if (found === undefined) return { revision, found };
    const { head } = found;
    const text: WriteBody = async (out, read) => {
      const changes = await allChanges(found, { path: params, visible: PUBLIC, read });
      const version = await renderVersion(head, { ...found.version, changes }, render, 2);
      const { start, end } = frameVersion(site, { head, version });
      await out.add(start);
      for (const piece of writeVersionContent({ head, version })) await out.add(piece);
      await out.add(end);
    };
    return { revision, found: { text, head: pageHead(site, head), origin: head } };
  },
};
