import type { Present } from '../../../present/gitea/records.ts';
import { findReleases, RELEASES_MAX } from '../../../store/read/find-releases.ts';
import type { WriteBody } from '../../cache/body.ts';
import { JSON_TYPE } from '../../pipeline/send.ts';
import { limitUpTo, type Parameters, TRUE_OR_FALSE, upTo } from '../../query/parameters.ts';
import { type OperationText, type Read, type ReadRequest, readOf } from '../../read.ts';
import { allParts, itemsIn } from '../../writing/walk.ts';

const LIMIT_MAX = 50;
const LIMIT_DEFAULT = 30;

export const PAGE_PARAMETERS = {
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
function readNumber(
  given: string,
  { least, most = Number.POSITIVE_INFINITY }: { least: number; most?: number },
) {
  if (!/^-?\d{1,9}$/.test(given)) return given;
  return String(Number(given) <= 0 ? least : Math.min(Number(given), most));
}

export const RELEASE_PARAMETERS = {
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

type ListOptions = OperationText &
  Readonly<{
    parameters: Parameters;
    /** Whether the records need the changes of a version. */
    withChanges: boolean;
    present: Present;
  }>;

export function readList({ parameters, withChanges, present, ...operation }: ListOptions): Read {
  return readOf({
    operation,
    parameters,
    contentType: JSON_TYPE,
    isLong: true,
    find: (db, request, visible) =>
      findReleases(db, request.params, pageOf(request, withChanges).query, visible),
    present: (found, request, visible) => {
      const { params, site } = request;
      const page = pageOf(request, withChanges);
      const { head } = found;
      const repository = { head, site };
      const text: WriteBody = async (out, read) => {
        const { offset, limit } = page.query;
        // Very long versions do not fit into one read.
        const slices = allParts(found, read, (db, end) => {
          const rest = { ...page.query, offset: end, limit: offset + limit - end };
          return findReleases(db, params, rest, visible);
        });
        const versions = itemsIn(slices, (slice) => slice.versions);
        await out.addFramed({ start: '[', between: ',', end: ']' }, versions, async (version) =>
          JSON.stringify(await present(repository, version)),
        );
      };
      const total = page.isEmpty ? 0 : found.total;
      return { text, link: linksOf(request, page, total), totalCount: total, origin: head };
    },
  });
}

function pageOf({ query: { given } }: ReadRequest, withChanges: boolean) {
  const [number, limit] = [Number(given.page?.[0] ?? 1), Number(given.limit?.[0] ?? LIMIT_DEFAULT)];
  const isEmpty = given.draft?.[0] === 'true';
  const prerelease = given['pre-release']?.[0];
  const isPrerelease = prerelease === undefined ? null : prerelease === 'true';
  const query = { offset: (number - 1) * limit, limit: isEmpty ? 0 : limit, isPrerelease, withChanges };
  return { number, limit, isEmpty, query };
}

/** In the order of Gitea. */
function linksOf(
  { site, path, query }: ReadRequest,
  { number, limit }: Readonly<{ number: number; limit: number }>,
  total: number,
): string | undefined {
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
  return links.length === 0 ? undefined : links.join(', ');
}
