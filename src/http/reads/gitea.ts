// Products as repositories of Gitea, versions as their releases and tags, and redirects from the links that its clients
// write to our pages (R57).
import { LATEST } from '../../domain/version-names.ts';
import { versionOrder } from '../../domain/version-order.ts';
import { NOT_FOUND } from '../../errors.ts';
import { presentRelease, presentRepository, presentTag } from '../../present/gitea/records.ts';
import type { ProductUrls } from '../../present/links.ts';
import { addFramed } from '../../present/outputs/output.ts';
import {
  findReleaseByLabel,
  findReleaseByNumber,
  findReleases,
  RELEASES_MAX,
} from '../../store/read/find-releases.ts';
import { findLatest, findVersion } from '../../store/read/find-version.ts';
import type { PageRow } from '../../store/read/pages.ts';
import type { HeadRow } from '../../store/read/reads.ts';
import type { WriteBody } from '../cache/body.ts';
import { HTML_TYPE } from '../pipeline/send.ts';
import { limitUpTo, type Parameters, TRUE_OR_FALSE, upTo } from '../query.ts';
import { type OperationText, type Read, type ReadRequest, type RowsRead, readOf } from '../read.ts';
import { allChanges, allItems } from './writing.ts';

/** `withChanges`: whether it needs the changes of a version. */
const RELEASE = { record: 'GiteaRelease', withChanges: true, present: presentRelease } as const;
const TAG = { record: 'GiteaTag', withChanges: false, present: presentTag } as const;

type Shown = typeof RELEASE | typeof TAG;

export const repository = readOf({
  operation: {
    name: 'GiteaRepository',
    summary: 'The product as a repository of Gitea.',
    description: 'It has releases and tags, and nothing else.',
    bodies: ['GiteaRepository'],
  },
  // Only the newest release, which says when it was published.
  find: (db, { params }, visible) =>
    findReleases(db, params, { offset: 0, limit: 1, isPrerelease: null, withChanges: false }, visible),
  present: (found, { site }) => ({
    text: JSON.stringify(presentRepository(found, site)),
    origin: found.head,
  }),
});

const LIMIT_MAX = 50;
const LIMIT_DEFAULT = 30;

const PAGE_PARAMETERS = {
  page: {
    // The last page, if each has one item.
    ...upTo(RELEASES_MAX),
    description:
      'The number of the page, from 1; `0` or less means the same. A page after the last one is empty.',
    example: '1',
    read: (given) => readNumber(given, { least: 1 }),
  },
  limit: {
    ...limitUpTo(
      LIMIT_MAX,
      `Maximum number of items on a page. \`0\` or less means the default, ${LIMIT_DEFAULT}; more than ${LIMIT_MAX} means ${LIMIT_MAX}.`,
    ),
    component: 'pageLimit',
    read: (given) => readNumber(given, { least: LIMIT_DEFAULT, most: LIMIT_MAX }),
  },
} as const satisfies Parameters;

/** As Gitea reads numbers: its SDK for Go sends `limit=0` for the default, and updatecli begins with page 0. */
function readNumber(given: string, { least, most = Infinity }: { least: number; most?: number }) {
  if (!/^-?\d{1,9}$/.test(given)) return given;
  return String(Number(given) <= 0 ? least : Math.min(Number(given), most));
}

const RELEASE_PARAMETERS = {
  ...PAGE_PARAMETERS,
  draft: {
    ...TRUE_OR_FALSE,
    description: '`true` lists nothing, because drafts are not releases. `false` lists all releases.',
    example: 'false',
  },
  'pre-release': {
    ...TRUE_OR_FALSE,
    description: '`true` lists only prereleases and yanked versions, `false` only the others.',
    example: 'false',
  },
} as const satisfies Parameters;

export const releases = readList(RELEASE, RELEASE_PARAMETERS, 'The published versions as releases of Gitea.');
export const tags = readList(TAG, PAGE_PARAMETERS, 'The published versions as tags of Gitea.');

function readList({ record, withChanges, present }: Shown, parameters: Parameters, summary: string): Read {
  const description =
    'Newest first, at most the newest 10,000. `X-Total-Count` has their number, and `Link` the URLs of other pages.';
  return readOf({
    operation: { name: `${record}s`, summary, description, bodies: [`${record}s`] },
    parameters,
    isLong: true,
    find: (db, request, visible) =>
      findReleases(db, request.params, { ...pageOf(request).slice, withChanges }, visible),
    present: (found, request, visible) => {
      const { params, site } = request;
      const { slice, isEmpty } = pageOf(request);
      const { head } = found;
      const text: WriteBody = (out, read) => {
        // Very long versions do not fit into one read.
        const versions = allItems<typeof found, PageRow>(found, read, {
          findAfter: (db, offset) => {
            const limit = slice.offset + slice.limit - offset;
            return findReleases(db, params, { ...slice, offset, limit, withChanges }, visible);
          },
          itemsOf: (part) => part.versions,
        });
        return addFramed(out, { start: '[', between: ',', end: ']' }, versions, async (version) =>
          JSON.stringify(await present({ head, site }, version)),
        );
      };
      const totalCount = isEmpty ? 0 : found.total;
      return { text, link: linksOf(request, totalCount), totalCount, origin: head };
    },
  });
}

function pageOf({ query: { given } }: ReadRequest) {
  const [number, limit] = [Number(given.page?.[0] ?? 1), Number(given.limit?.[0] ?? LIMIT_DEFAULT)];
  const isEmpty = given.draft?.[0] === 'true';
  const prerelease = given['pre-release']?.[0];
  const isPrerelease = prerelease === undefined ? null : prerelease === 'true';
  const slice = { offset: (number - 1) * limit, limit: isEmpty ? 0 : limit, isPrerelease };
  return { number, limit, isEmpty, slice };
}

/** In the order of Gitea. */
function linksOf(request: ReadRequest, total: number): string | undefined {
  const { site, path, query } = request;
  const { number, limit } = pageOf(request);
  const last = Math.ceil(total / limit);
  const given = Object.entries(query.given).map(([name, values]) => [name, values?.[0] ?? '']);
  const linkTo = (relation: string, page: number) => {
    const text = new URLSearchParams({ ...Object.fromEntries(given), page: String(page) });
    return `<${site.baseUrl}${path}?${text}>; rel="${relation}"`;
  };
  const links = [
    ...(number < last ? [linkTo('next', number + 1), linkTo('last', last)] : []),
    ...(number > 1 && last > 0 ? [linkTo('first', 1), linkTo('prev', Math.min(number - 1, last))] : []),
  ];
  return links.join(', ') || undefined;
}

const BY_LABEL = 'The label with or without a leading `v`. Slashes in it may be encoded or not.';

export const latestRelease = readOne(RELEASE, {
  name: 'GiteaLatestRelease',
  summary: 'The latest version as a release of Gitea.',
  description: 'The highest version that is neither a prerelease nor yanked, or else the newest one.',
  find: (db, path, _name, visible) => findVersion(db, path, LATEST, visible),
});

export const releaseByTag = readOne(RELEASE, {
  name: 'GiteaReleaseByTag',
  summary: 'A version as a release of Gitea, by its label.',
  description: BY_LABEL,
  find: findReleaseByLabel,
});

export const release = readOne(RELEASE, {
  name: 'GiteaRelease',
  summary: 'A version as a release of Gitea, by its number.',
  description: 'The number is `id` in the other responses.',
  find: (db, path, name, visible) => {
    if (!/^[0-9]{1,16}$/.test(name)) throw NOT_FOUND;
    return findReleaseByNumber(db, path, Number(name), visible);
  },
});

export const tag = readOne(TAG, {
  name: 'GiteaTag',
  summary: 'A version as a tag of Gitea, by its label.',
  description: BY_LABEL,
  find: findReleaseByLabel,
});

/** `find` gets the name in the path. */
type OneOptions = OperationText & Readonly<{ find: typeof findVersion }>;

function readOne({ record, withChanges, present }: Shown, { find, ...operation }: OneOptions): Read {
  return readOf({
    operation: { ...operation, bodies: [record] },
    find: (db, { params }, visible) => find(db, params, params.versionId, visible),
    present: (found, { params: path, site }, visible) => {
      const { head, version } = found;
      const text: WriteBody = async (out, read) => {
        const changes = withChanges ? await allChanges(found, { path, visible, read }) : [];
        await out.add(JSON.stringify(await present({ head, site }, { ...version, changes })));
      };
      return { text, origin: head };
    },
  });
}

export const productRedirect = redirectTo(
  (db, { params }, visible) => findLatest(db, params, visible),
  ({ changelog }) => changelog,
);

export const latestRedirect = redirectTo(
  (db, { params }, visible) => findVersion(db, params, LATEST, visible),
  (urls, { version }) => urls.version(version),
);

export const tagRedirect = redirectTo(
  (db, { params }, visible) => findReleaseByLabel(db, params, params.versionId, visible),
  (urls, { version }) => urls.version(version),
);

/** To the page of what changed, or to the changelog between their days if the labels have no order. */
export const compareRedirect = redirectTo(
  async (db, { params }, visible) => {
    const [, from = '', to = ''] = /^(.+?)\.\.\.(.+)$/.exec(params.versionId) ?? [];
    const one = await findReleaseByLabel(db, params, from, visible);
    const other = await findReleaseByLabel(db, params, to, visible);
    const found = one.found &&
      other.found && { head: one.found.head, from: one.found.version, to: other.found.version };
    return { revision: Math.min(one.revision, other.revision), found };
  },
  ({ changelog, changes }, { from, to }) => {
    if (versionOrder(from.label) !== null && versionOrder(to.label) !== null)
      return changes(`?${new URLSearchParams({ from: from.label, to: to.label })}`) ?? changelog;
    const days = [from, to].map(({ publishedAt }) => String(publishedAt).slice(0, 10));
    const [since = '', until = ''] = days.sort();
    return `${changelog}?${new URLSearchParams({ since, until })}`;
  },
);

function redirectTo<Rows extends Readonly<{ head: HeadRow }>>(
  find: RowsRead<Rows>['find'],
  locationOf: (urls: ProductUrls, found: Rows) => string,
): Read {
  return readOf({
    contentType: HTML_TYPE,
    find,
    present: (found, { site: { links } }) => {
      const { head } = found;
      return { text: '', location: locationOf(links.fromServer(head), found), origin: head };
    },
  });
}
