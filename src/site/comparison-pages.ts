// The pages that compare two versions.
import { sectionsOf } from '../domain/content/sections.ts';
import { frameChanges } from '../present/pages/product-pages.ts';
import { type Before, END_SECTION, startSection } from '../present/pages/version-parts.ts';
import type { ListedVersion, Product, Sources, StaticFile } from './body.ts';
import type { Comparison } from './comparisons.ts';
import { afterFile, betweenFile } from './layout.ts';
import { sum, type WrittenVersion, type WrittenVersions } from './written.ts';

type Comparisons = readonly Comparison<ListedVersion>[];

function fileFor({ nameOf }: Product, { from, to }: Comparison<ListedVersion>): string {
  return to === null ? afterFile(nameOf(from)) : betweenFile(nameOf(from), nameOf(to));
}

/** What a version has comparisons with, as links from the changelog. */
export type VersionComparisons = Readonly<{ before: Before | null; afterUrl: string | null }>;

export function comparisonLinks(
  comparisons: Comparisons,
  product: Product,
): (versionId: string) => VersionComparisons {
  const before = new Map<string, Before>();
  const afterUrls = new Map<string, string>();
  for (const comparison of comparisons) {
    const { from, to } = comparison;
    const url = fileFor(product, comparison).split('/').map(encodeURIComponent).join('/');
    if (to === null) afterUrls.set(from.id, url);
    else before.set(to.id, { label: from.label, url });
  }
  return (id) => ({ before: before.get(id) ?? null, afterUrl: afterUrls.get(id) ?? null });
}

/** The same from a version's page, which is one folder below. */
export function fromVersion({ before, afterUrl }: VersionComparisons): VersionComparisons {
  return {
    before: before && { ...before, url: `../${before.url}` },
    afterUrl: afterUrl && `../${afterUrl}`,
  };
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
    const groups = sectionsOf(versions.flatMap(({ blocks }) => blocks)).map(({ kind, changes }) => ({
      kind,
      changes,
      count: sum(changes.map(({ count }) => count)),
    }));
    const { head } = versions[0] as WrittenVersion;
    const { start, end } = frameChanges(site, {
      head,
      form: { values: { from: [from.label], ...(to !== null && { to: [to.label] }) }, problems: {} },
      isFiltered: true,
      menu: [],
      isEmpty: false,
    });
    const told = versions.map((version) => version.told);
    const body = groups.flatMap(({ kind, count, changes }) => [
      startSection(kind, head, 2, count),
      ...changes.map(({ bytes }) => bytes),
      END_SECTION,
    ]);
    const images = [head.logo, ...versions.flatMap((version) => version.images)];
    yield { path: fileFor(product, comparison), body: [start, ...body, ...told, end], images };
  }
}
