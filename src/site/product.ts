// All files of one product.

import { fileOf, type Read } from '../http/read.ts';
import { badgeJson, badgeSvg, latestTxt, versionNotes } from '../http/reads/outputs.ts';
import { changelogAsMarkdown } from '../http/reads/product-pages.ts';
import { changelogJson, versionJson } from '../http/reads/records.ts';
import { ROUTES } from '../http/routes.ts';
import { bodyOf, type Product, type Sources, type StaticFile } from './body.ts';
import { changelogPages, PAGE_VERSIONS } from './changelog-pages.ts';
import { comparisonFiles, comparisonLinks } from './comparison-pages.ts';
import { comparisonsOf } from './comparisons.ts';
import { NOTES, versionFiles } from './version-files.ts';
import { WrittenVersions } from './written.ts';

const SMALL_FILES: readonly Read[] = [latestTxt, badgeJson, badgeSvg];

/** Outputs that need no parameters, under the names that they have on a server. */
const OUTPUTS = ROUTES.flatMap(({ path, surface, read }) =>
  surface === 'public' && read !== undefined && (read.output !== undefined || SMALL_FILES.includes(read))
    ? [{ file: fileOf(path), read }]
    : [],
);

const FILES = [
  ...OUTPUTS,
  { file: 'index.md', read: changelogAsMarkdown },
  { file: 'changelog.json', read: changelogJson },
  { file: 'recent.json', read: changelogJson, query: `?include=changes&limit=${PAGE_VERSIONS}` },
  { file: 'versions/latest.json', read: versionJson, versionId: 'latest' },
  ...Object.entries(NOTES).map(([name, form]) => ({
    file: `versions/latest/${name}`,
    read: versionNotes(form),
    versionId: 'latest',
  })),
];

export async function* productFiles(sources: Sources, product: Product): AsyncGenerator<StaticFile> {
  const comparisons = [...comparisonsOf(product.versions)];
  const linksOf = comparisonLinks(comparisons, product);
  const written = new WrittenVersions(sources, product, (id) => linksOf(id).before);
  yield* versionFiles(sources, product, { written, comparisonsOf: linksOf });
  yield* changelogPages(sources, product, written);
  yield* comparisonFiles(sources, product, { comparisons, written });
  for (const { file, read, ...asked } of FILES) {
    const body = await bodyOf(sources, product, read, { file, ...asked });
    if (body !== null) yield { path: file, body };
  }
}
