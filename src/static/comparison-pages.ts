// The pages that compare two versions.
import { NO_FILTER } from '../domain/feed-query.ts';
import { endGroup, frameChanges, startGroup } from '../present/pages/changes-page.ts';
import type { VersionView } from '../present/pages/views.ts';
import { groupRange } from '../present/version.ts';
import type { ListedVersion, Product, Sources, StaticFile } from './body.ts';
import type { Comparison } from './comparisons.ts';
import { afterFile, betweenFile } from './layout.ts';
import { sum, type WrittenVersion, type WrittenVersions } from './written.ts';

type Comparisons = readonly Comparison<ListedVersion>[];

function fileFor({ nameOf }: Product, { from, to }: Comparison<ListedVersion>): string {
  return to === null ? afterFile(nameOf(from)) : betweenFile(nameOf(from), nameOf(to));
}

/** On the page of a version: what is new in it, and what came after it. */
export function comparisonLinks(
  comparisons: Comparisons,
  product: Product,
): (versionId: string) => VersionView['comparisons'] {
  const links = new Map<string, { url: string; text: string }[]>();
  for (const comparison of comparisons) {
    const { from, to } = comparison;
    const { id } = to ?? from;
    const url = `../${fileFor(product, comparison).split('/').map(encodeURIComponent).join('/')}`;
    const text = to === null ? 'What changed after this version' : `What changed since ${from.label}`;
    links.set(id, [...(links.get(id) ?? []), { url, text }]);
  }
  return (versionId) => links.get(versionId) ?? [];
}

export async function* comparisonFiles(
  { site }: Sources,
  product: Product,
  { comparisons, written }: Readonly<{ comparisons: Comparisons; written: WrittenVersions }>,
): AsyncGenerator<StaticFile> {
  for (const comparison of comparisons) {
    const { from, to } = comparison;
    const versions: WrittenVersion[] = [];
    for (const { id } of comparison.versions) versions.push(await written.of(id));
    const groups = groupRange(
      versions.flatMap(({ blocks }) => blocks),
      NO_FILTER,
    ).map(({ type, changes }) => ({ type, changes, count: sum(changes.map(({ count }) => count)) }));
    const { head } = versions[0] as WrittenVersion;
    const { start, end } = frameChanges(site, {
      head,
      form: { values: { from: [from.label], ...(to !== null && { to: [to.label] }) }, problems: {} },
      isFiltered: true,
      labels: [],
      changeCount: sum(groups.map(({ count }) => count)),
    });
    const body = groups.flatMap(({ type, count, changes }) => [
      startGroup(head, type, count),
      ...changes.map(({ bytes }) => bytes),
      endGroup(),
    ]);
    yield { path: fileFor(product, comparison), body: [start, ...body, end] };
  }
}
