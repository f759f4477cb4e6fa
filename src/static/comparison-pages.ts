// The pages that compare two versions.
import { NO_FILTER } from '../domain/feed-query.ts';
import type { ChangeType } from '../domain/model.ts';
import { renderVersion } from '../http/writing/rendered.ts';
import { allChanges } from '../http/writing/walk.ts';
import { endGroup, frameChanges, startGroup, writeRangeChange } from '../present/pages/changes-page.ts';
import type { VersionView } from '../present/pages/views.ts';
import { groupRange } from '../present/version.ts';
import { findVersion } from '../store/read/find-version.ts';
import type { HeadRow } from '../store/read/reads.ts';
import { type ListedVersion, type Product, PUBLIC_ROWS, type Sources, type StaticFile } from './body.ts';
import type { Comparison } from './comparisons.ts';
import { keepWritten } from './kept.ts';
import { afterFile, betweenFile } from './layout.ts';

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

/** The changes of a version that are next to each other in every comparison. */
type Block = Readonly<{ type: ChangeType; breaking: boolean; count: number; bytes: Buffer }>;
type WrittenVersion = Readonly<{ head: HeadRow; blocks: readonly Block[] }>;

export async function* comparisonFiles(
  sources: Sources,
  product: Product,
  comparisons: Comparisons,
): AsyncGenerator<StaticFile> {
  const { site } = sources;
  const blocksOf = keepWritten(
    (version: ListedVersion) => writeBlocks(sources, product, version),
    ({ blocks }) => sum(blocks.map(({ bytes }) => bytes.length)),
  );
  for (const comparison of comparisons) {
    const { from, to } = comparison;
    const written: WrittenVersion[] = [];
    for (const version of comparison.versions) written.push(await blocksOf(version));
    const groups = groupRange(
      written.flatMap(({ blocks }) => blocks),
      NO_FILTER,
    ).map(({ type, changes }) => ({ type, changes, count: sum(changes.map(({ count }) => count)) }));
    const { start, end } = frameChanges(site, {
      head: (written[0] as WrittenVersion).head,
      form: { values: { from: [from.label], ...(to !== null && { to: [to.label] }) }, problems: {} },
      isFiltered: true,
      labels: [],
      changeCount: sum(groups.map(({ count }) => count)),
    });
    const body = groups.flatMap(({ type, count, changes }) => [
      startGroup(type, count),
      ...changes.map(({ bytes }) => bytes),
      endGroup(),
    ]);
    yield { path: fileFor(product, comparison), body: [start, ...body, end] };
  }
}

async function writeBlocks(
  { db, render, site }: Sources,
  { path }: Product,
  { id }: ListedVersion,
): Promise<WrittenVersion> {
  const { found } = await findVersion(db, path, id, PUBLIC_ROWS);
  if (found === undefined) throw new Error(`the version ${id} is gone`);
  const { head, version } = found;
  const changes = await allChanges(found, { path, visible: PUBLIC_ROWS, read: (next) => next(db) });
  const rendered = await renderVersion(head, { ...version, changes, description: null }, render, 2);
  const alike = Map.groupBy(rendered.changes, ({ type, breaking }) => `${type} ${breaking}`);
  const blocks = [...alike.values()].flatMap((some) => {
    const [first] = some;
    if (first === undefined) return [];
    const written = some.map((change) => writeRangeChange(site, head, { ...change, version }));
    const bytes = Buffer.from(written.join(''));
    return [{ type: first.type, breaking: first.breaking, count: some.length, bytes }];
  });
  return { head, blocks };
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
