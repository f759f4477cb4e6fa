// Links to products, versions and comparisons, as clients of Gitea write them: redirects to our pages (R57).
import { LATEST } from '../../../domain/version-names.ts';
import { versionOrder } from '../../../domain/version-order.ts';
import type { ProductUrls } from '../../../present/links.ts';
import { findReleaseByLabel } from '../../../store/read/find-releases.ts';
import { findLatest, findVersion } from '../../../store/read/find-version.ts';
import type { HeadRow, VersionDetail } from '../../../store/read/reads.ts';
import { HTML_TYPE } from '../../pipeline/send.ts';
import { type Read, type RowsRead, readOf } from '../../read.ts';

export const giteaProductRedirect = redirectTo(
  (db, { params }, visible) => findLatest(db, params, visible),
  ({ changelog }) => changelog,
);

export const giteaLatestRedirect = redirectTo(
  (db, { params }, visible) => findVersion(db, params, LATEST, visible),
  (urls, { version }) => urls.version(version),
);

export const giteaTagRedirect = redirectTo(
  (db, { params }, visible) => findReleaseByLabel(db, params, params.versionId, visible),
  (urls, { version }) => urls.version(version),
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

export const giteaCompareRedirect: Read = {
  contentType: HTML_TYPE,
  find: async (db, { params, site: { links } }, visible) => {
    let revision = Number.POSITIVE_INFINITY;
    for (const labels of splitsOf(params.versionId)) {
      const pair = [];
      for (const label of labels) pair.push(await findReleaseByLabel(db, params, label, visible));
      revision = Math.min(revision, ...pair.map((each) => each.revision));
      const [from, to] = pair.map(({ found }) => found);
      if (from === undefined || to === undefined) continue;
      const location = comparisonOf(links.fromServer(from.head), from.version, to.version);
      return { revision, found: { text: '', location, origin: from.head } };
    }
    return { revision, found: undefined };
  },
};

/** More than labels ever have, few enough to look all of them up. */
const SPLITS_MAX = 8;

/** `a...b` at each `...`: labels may contain it too. */
function splitsOf(text: string): [from: string, to: string][] {
  const places = [...text.matchAll(/(?!^)(?=\.\.\.)/g)].slice(0, SPLITS_MAX);
  return places
    .map(({ index }): [string, string] => [text.slice(0, index), text.slice(index + '...'.length)])
    .filter(([, to]) => to !== '');
}

type Compared = VersionDetail['version'];

/** The page of what changed, or the changelog between their days if the labels have no order. */
function comparisonOf({ changelog, changes }: ProductUrls, from: Compared, to: Compared): string {
  if (versionOrder(from.label) !== null && versionOrder(to.label) !== null)
    return changes(`?${new URLSearchParams({ from: from.label, to: to.label })}`) ?? changelog;
  const [since = '', until = ''] = [from, to]
    .map(({ publishedAt }) => String(publishedAt).slice(0, 10))
    .sort();
  return `${changelog}?${new URLSearchParams({ since, until })}`;
}
