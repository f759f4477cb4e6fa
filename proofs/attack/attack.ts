// One anonymous client spends its whole rate limit at once on the longest responses, each with new parameters; meanwhile,
// the response times of other clients are measured.
import type { Scope } from '../../cluster/scope.ts';
import { countStatuses, percentile } from '../../support/http/load.ts';
import { temporaryFolder } from '../../support/processes/scope.ts';
import { cpuMs, peakMb } from '../../support/processes/usage.ts';
import { apply } from '../../support/program/command.ts';
import { spawnServer } from '../../support/program/process.ts';
import { get } from './others.ts';
import { pollOthers } from './poll-others.ts';

type AttackSize = Readonly<{ versions: number; changes: number; requests: number }>;
export const FULL_SIZE: AttackSize = { versions: 5_000, changes: 5, requests: 57 };

type AttackFigures = Readonly<{
  kind: string;
  /** The number of responses by status, or by reason if they failed. */
  statuses: Record<string, number>;
  seconds: number;
  /** The node's processor time for all requests of the attack. */
  cpuSeconds: number;
  /** The node's peak memory since its start. */
  peakMb: number;
  /** How long other clients waited for cached reads meanwhile. */
  othersP99Ms: number;
  othersMaxMs: number;
}>;

export const BOUNDS = { cpuSeconds: 15, peakMb: 450, othersMaxMs: 250 };
export const HEAP_MB = 400;

const PRODUCTS = '/api/v1/public/teams/acme/products';
const PAGES = '/changelog/acme';
const CACHED = `${PRODUCTS}/small/changelog`;

/** Slow by design: texts as long as we render, many in each version, and no two alike. */
const SLOW = { versions: 4, changes: 60, text: 'a\n-\n'.repeat(6_600) };

/** The paths that an attack requests; each request has a different one. */
const KINDS: Record<string, (number: number, size: AttackSize) => string> = {
  'include=changes': (number) =>
    `${PRODUCTS}/rocket/changelog?include=changes&since=2000-01-01T00:00:00.${digits(number)}Z`,
  'include=changes, various dates': (number, { versions, requests }) => {
    const day = Math.floor((number * versions) / requests);
    return `${PRODUCTS}/rocket/changelog?include=changes&until=${new Date(Date.UTC(2005, 0, 1) + day * 86_400_000).toISOString()}`;
  },
  'a range of all versions': (number) => `${PRODUCTS}/rocket/changelog/changes?from=0.0.${number}`,
  'ranges of 500 versions': (number, { versions, requests }) => {
    const first = Math.floor((number * Math.max(0, versions - 500)) / requests);
    return `${PRODUCTS}/rocket/changelog/changes?from=1.${first}.0&to=1.${first + Math.min(499, versions - 1)}.0`;
  },
  summaries: (number) => `${PRODUCTS}/rocket/changelog?since=2000-01-01T00:00:00.${digits(number)}Z`,
  'feeds and CHANGELOG.md': (number) =>
    `${PRODUCTS}/rocket/changelog/${['CHANGELOG.md', 'feed.atom', 'feed.rss', 'feed.json'][number % 4]}?${number}`,
  'slow-to-render texts': (number) =>
    number % 2 === 0
      ? `${PRODUCTS}/slow/changelog/versions/1.${(number / 2) % SLOW.versions}.0?${number}`
      : `${PRODUCTS}/slow/changelog?include=changes&since=2000-01-01T00:00:00.${digits(number)}Z`,
  'pages of 100 versions': (number) =>
    `${PAGES}/rocket?limit=100&since=2000-01-01T00:00:00.${digits(number)}Z`,
  'pages of ranges': (number, { versions, requests }) => {
    const first = Math.floor((number * Math.max(0, versions - 500)) / requests);
    return `${PAGES}/rocket/changes?from=1.${first}.0&to=1.${first + Math.min(499, versions - 1)}.0`;
  },
  'pages of slow-to-render texts': (number) =>
    number % 2 === 0
      ? `${PAGES}/slow/versions/1.${(number / 2) % SLOW.versions}.0?${number}`
      : `${PAGES}/slow?since=2000-01-01T00:00:00.${digits(number)}Z`,
};

const digits = (number: number) => String(number).padStart(3, '0');

export async function attack(
  scope: Scope,
  size: AttackSize,
  isTried: (kind: string) => boolean = () => true,
): Promise<AttackFigures[]> {
  const sandbox = { folder: temporaryFolder(scope) };
  await apply(sandbox, contentOf(size));
  const node = await spawnServer(scope, sandbox, {
    NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}`,
    LOG_LEVEL: 'error',
  });
  const figures: AttackFigures[] = [];
  const kinds = Object.entries(KINDS).filter(([kind]) => isTried(kind));
  for (const [index, [kind, ask]] of kinds.entries()) {
    const others = await pollOthers(scope, index + 2, [node.address + CACHED]);
    const [startedAt, cpuBefore] = [performance.now(), cpuMs(node.pid)];
    const responses = await Promise.all(
      Array.from({ length: size.requests }, (_, number) =>
        get(`${node.address}${ask(number, size)}`, `127.0.1.${index + 1}`),
      ),
    );
    const seconds = (performance.now() - startedAt) / 1000;
    const waits = await others.stop();
    figures.push({
      kind,
      statuses: countStatuses([...responses, ...waits.filter(({ status }) => status !== 200)]),
      seconds,
      cpuSeconds: (cpuMs(node.pid) - cpuBefore) / 1000,
      peakMb: peakMb(node.pid),
      othersP99Ms: percentile(waits, 0.99),
      othersMaxMs: percentile(waits, 1),
    });
  }
  await node.stop();
  return figures;
}

/** Everything that exceeds its bound, as text. */
export function violationsOf(figures: readonly AttackFigures[], bounds = BOUNDS): string[] {
  return figures.flatMap(({ kind, statuses, ...figure }) => [
    ...Object.keys(statuses)
      .filter((status) => !['200', '400', '503'].includes(status))
      .map((status) => `${kind}: ${statuses[status]} responses with ${status}`),
    ...(Object.keys(bounds) as (keyof typeof BOUNDS)[])
      .filter((name) => figure[name] > bounds[name])
      .map((name) => `${kind}: ${name} is ${figure[name].toFixed(1)}; at most ${bounds[name]} is allowed`),
  ]);
}

function contentOf({ versions, changes }: AttackSize) {
  const many = Array.from({ length: versions }, (_, number) => ({
    version: `1.${number}.0`,
    title: `Release ${number}`,
    status: 'published',
    publishedAt: new Date(Date.UTC(2005, 0, 1) + number * 86_400_000).toISOString(),
    changes: Array.from({ length: changes }, (_, index) => ({
      type: ['added', 'changed', 'fixed', 'removed', 'security'][index % 5],
      text: `Change ${index} of release ${number}: *launches* with \`many targets\` are faster, see [#${number}](https://example.com/${number}).`,
    })),
  }));
  const product = (slug: string, list: object[]) => ({
    slug,
    name: slug,
    status: 'published',
    changelog: { status: 'published', versions: list },
  });
  return {
    team: { slug: 'acme', name: 'Acme', visibility: 'public', plan: 'paid' },
    products: [product('rocket', many), product('small', many.slice(0, 3)), product('slow', slowVersions())],
  };
}

function slowVersions(): object[] {
  return Array.from({ length: SLOW.versions }, (_, number) => ({
    version: `1.${number}.0`,
    title: '',
    status: 'published',
    publishedAt: '2020-01-01',
    changes: Array.from({ length: SLOW.changes }, (_, index) => ({
      type: 'other',
      text: `${number}.${index} ${SLOW.text}`,
    })),
  }));
}
