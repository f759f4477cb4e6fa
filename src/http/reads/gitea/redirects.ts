// Links to versions and comparisons, as clients of Gitea write them: redirects to our pages (R57).
import { versionOrder } from '../../../domain/version-order.ts';
import { comparisonPath, productPath, versionPath } from '../../../present/page-paths.ts';
import { findReleaseByLabel } from '../../../store/read/find-releases.ts';
import type { VersionDetail } from '../../../store/read/reads.ts';
import { HTML_TYPE } from '../../pipeline/send.ts';
import { type Read, readOf } from '../../read.ts';

export const giteaTagRedirect = readOf({
  contentType: HTML_TYPE,
  find: (db, { params }, visible) => findReleaseByLabel(db, params, params.versionId, visible),
  present: ({ head, version }) => ({ text: '', location: versionPath(head, version), origin: head }),
});

export const giteaCompareRedirect: Read = {
  contentType: HTML_TYPE,
  find: async (db, { params }, visible) => {
    let revision = Number.POSITIVE_INFINITY;
    for (const labels of splitsOf(params.versionId)) {
      const pair = [];
      for (const label of labels) pair.push(await findReleaseByLabel(db, params, label, visible));
      revision = Math.min(revision, ...pair.map((each) => each.revision));
      const [from, to] = pair.map(({ found }) => found);
      if (from === undefined || to === undefined) continue;
      return { revision, found: { text: '', location: comparisonOf(from, to), origin: from.head } };
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

/** The page of what changed, or the changelog between their days if the labels have no order. */
function comparisonOf({ head, version: from }: VersionDetail, { version: to }: VersionDetail): string {
  if (versionOrder(from.label) !== null && versionOrder(to.label) !== null)
    return comparisonPath(head, { from: from.label, to: to.label });
  const [since = '', until = ''] = [from, to]
    .map(({ publishedAt }) => String(publishedAt).slice(0, 10))
    .sort();
  return `${productPath(head)}?${new URLSearchParams({ since, until })}`;
}
