// Published changelogs in other programs' formats (R34).
import { NO_FILTER } from '../../domain/feed-query.ts';
import { withLinkBase } from '../../present/html/relative-links.ts';
import { describeFeed, formatAlternates, type Output } from '../../present/outputs/output.ts';
import { type FullVersion, findPage } from '../../store/read/pages.ts';
import type { WriteBody } from '../cache/body.ts';
import { fileOf, type Read } from '../read.ts';
import { remainingVersions } from '../writing/walk.ts';

/** Feed readers want what is new; the changelog and CHANGELOG.md have all versions. */
const FEED_ENTRIES_MAX = 250;

const QUERY = { ...NO_FILTER, limit: FEED_ENTRIES_MAX, withChanges: true };

export function readOutput(output: Output): Read {
  const { name, summary, description, bodies, mediaType, isWhole, frame, writeVersion } = output;
  return {
    contentType: `${mediaType}; charset=utf-8`,
    parameters: {},
    isLong: () => true,
    operation: {
      name,
      summary,
      description,
      bodies,
      tag: 'Feeds',
      ...(bodies.length === 0 && {
        // Loaded only for the OpenAPI document.
        example: async (path, site) => {
          const { writeExample } = await import('../../present/outputs/example.ts');
          return await writeExample({ ...output, file: fileOf(path) }, site);
        },
      }),
    },
    output,
    find: async (db, { params, file, site, render }, visible) => {
      const { revision, found } = await findPage(db, params, visible, QUERY);
      if (found === undefined) return { revision, found };
      const { head, versions } = found;
      const feed = describeFeed(head, { file, updatedAt: lastUpdateOf(versions) }, site);
      const renderResolved = withLinkBase(render, head.linkBase);
      const text: WriteBody = async (out, read) => {
        const { start, between, end } = frame(feed);
        const all = isWhole
          ? remainingVersions(found, { path: params, visible, query: QUERY, read })
          : versions;
        await out.add(start);
        await out.addList<FullVersion>(
          all,
          (version) => writeVersion(feed, version, renderResolved),
          between,
        );
        await out.add(end);
      };
      return { revision, found: { text, link: formatAlternates(feed), origin: head } };
    },
  };
}

function lastUpdateOf(versions: readonly FullVersion[]): string | null {
  return versions.reduce<string | null>(
    (last, { updatedAt }) => (last !== null && last > updatedAt ? last : updatedAt),
    null,
  );
}
