// One anonymous client that uses up its whole allowance of a minute at once, on the longest responses there are, each
// with parameters that nobody has asked for before; and what others notice of it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Scope } from '../../cluster/scope.ts';
import { tethered } from '../../cluster/tether.ts';
import { countStatuses, percentile } from '../../support/http/load.ts';
import { temporaryFolder } from '../../support/processes/scope.ts';
import { cpuMs, peakMb } from '../../support/processes/usage.ts';
import { apply } from '../../support/program/command.ts';
import { spawnServer } from '../../support/program/process.ts';
import { get, type Polled } from './others.ts';

export type AttackSize = Readonly<{ versions: number; changes: number; requests: number }>;
export const FULL_SIZE: AttackSize = { versions: 5_000, changes: 5, requests: 57 };

export type AttackFigures = Readonly<{
  kind: string;
  /** How often each status came; what failed stands by its reason. */
  statuses: Record<string, number>;
  seconds: number;
  /** Of the node, for all requests of the attack. */
  cpuSeconds: number;
  /** The most that the node has ever taken. */
  peakMb: number;
  /** What others waited for cached reads meanwhile. */
  othersP99Ms: number;
  othersMaxMs: number;
}>;

export const BOUNDS = { cpuSeconds: 15, peakMb: 450, othersMaxMs: 250 };
export const HEAP_MB = 400;

const PRODUCTS = '/api/v1/public/teams/acme/products';
const CACHED = `${PRODUCTS}/small/changelog`;

/** Authored to be slow: as much as is rendered of one text, so many times in a version, and none of them twice. */
const SLOW = { versions: 4, changes: 60, text: 'a\n-\n'.repeat(6_600) };

/** What the requests of an attack ask for, below the products; each is another one. */
const KINDS: Record<string, (number: number, size: AttackSize) => string> = {
  'include=changes': (number) =>
    `/rocket/changelog?include=changes&since=2000-01-01T00:00:00.${digits(number)}Z`,
  'include=changes, everywhere': (number, { versions, requests }) => {
    const day = Math.floor((number * versions) / requests);
    return `/rocket/changelog?include=changes&until=${new Date(Date.UTC(2005, 0, 1) + day * 86_400_000).toISOString()}`;
  },
  'a range of all': (number) => `/rocket/changelog/changes?from=0.0.${number}`,
  'ranges of 500 versions': (number, { versions, requests }) => {
    const first = Math.floor((number * Math.max(0, versions - 500)) / requests);
    return `/rocket/changelog/changes?from=1.${first}.0&to=1.${first + Math.min(499, versions - 1)}.0`;
  },
  summaries: (number) => `/rocket/changelog?since=2000-01-01T00:00:00.${digits(number)}Z`,
  'feeds and CHANGELOG.md': (number) =>
    `/rocket/changelog/${['CHANGELOG.md', 'feed.atom', 'feed.rss', 'feed.json'][number % 4]}?${number}`,
  'texts that are slow to render': (number) =>
    number % 2 === 0
      ? `/slow/changelog/versions/1.${(number / 2) % SLOW.versions}.0?${number}`
      : `/slow/changelog?include=changes&since=2000-01-01T00:00:00.${digits(number)}Z`,
};

const digits = (number: number) => String(number).padStart(3, '0');

export async function attack(scope: Scope, size: AttackSize): Promise<AttackFigures[]> {
  const workplace = { folder: temporaryFolder(scope) };
  await apply(workplace, contentOf(size));
  const node = await spawnServer(scope, workplace, {
    NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}`,
    LOG_LEVEL: 'error',
  });
  const figures: AttackFigures[] = [];
  for (const [index, [kind, ask]] of Object.entries(KINDS).entries()) {
    const others = await pollCached(scope, node.address, index + 2);
    const [startedAt, cpuBefore] = [performance.now(), cpuMs(node.pid)];
    const responses = await Promise.all(
      Array.from({ length: size.requests }, (_, number) =>
        get(`${node.address}${PRODUCTS}${ask(number, size)}`, `127.0.1.${index + 1}`),
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

/** What of it is not as it must be, in words. */
export function violationsOf(figures: readonly AttackFigures[], bounds = BOUNDS): string[] {
  return figures.flatMap(({ kind, statuses, ...figure }) => [
    ...Object.keys(statuses)
      .filter((status) => !['200', '400', '503'].includes(status))
      .map((status) => `${kind}: ${statuses[status]} times ${status}`),
    ...(Object.keys(bounds) as (keyof typeof BOUNDS)[])
      .filter((name) => figure[name] > bounds[name])
      .map((name) => `${kind}: ${name} is ${figure[name].toFixed(1)}, at most ${bounds[name]} is allowed`),
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

/** Cached reads, one after the other, from another process and from ever new addresses. */
async function pollCached(scope: Scope, address: string, group: number) {
  const script = path.join(import.meta.dirname, 'others.ts');
  const { command, args } = tethered(process.execPath, [script, address + CACHED, String(group)]);
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  scope.after(async () => {
    if (child.exitCode === null) child.kill('SIGKILL');
    await ended;
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  await lines.next();
  return {
    stop: async (): Promise<Polled[]> => {
      child.stdin.end();
      const { value } = await lines.next();
      await ended;
      return JSON.parse(value ?? '[]');
    },
  };
}
