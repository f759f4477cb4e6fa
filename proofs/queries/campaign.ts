// Compares the service with the oracle on generated queries: whole lists, page by page, on both surfaces.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { openScope, temporaryFolder } from '../../cluster/scope.ts';
import { visibleRows } from '../../src/domain/access/visibility.ts';
import type { FeedQuery as Feed, FeedPosition } from '../../src/domain/feed-query.ts';
import { CHANGE_TYPES } from '../../src/domain/model.ts';
import { FEED_PARAMETERS, parseQuery } from '../../src/http/query.ts';
import type { Reader } from '../../src/store/engine/engine.ts';
import { findTimeline } from '../../src/store/read/lists/timeline.ts';
import { findIndexedPage, findPage } from '../../src/store/read/pages.ts';
import { databaseUrl } from '../../support/databases/engine.ts';
import { openReader } from '../../support/databases/open.ts';
import { startApp } from '../../support/program/app.ts';
import { apply, createKey } from '../../support/program/command.ts';
import { type Changelog, changelogs, SEPARATORS, VOCABULARY } from './content.ts';
import { expectedLatest, expectedVersions, type FeedQuery } from './oracle.ts';

const TEAM = 'acme';
const PRODUCT = 'rocket';
/** Has every other version too, with another id, so that its team has a timeline. */
const OTHER = 'capsule';
const FEEDS = {
  public: `/api/v1/public/teams/${TEAM}/products/${PRODUCT}/changelog`,
  team: `/api/v1/teams/${TEAM}/products/${PRODUCT}/changelog`,
};
const VERSIONS_MAX = 40;
const CASES_A_CHANGELOG = 250;
const BASE_URL = 'https://changes.example/x';

type Service = Readonly<{ ask: Ask; db: Reader }>;
type Surface = keyof typeof FEEDS;

type Ask = (url: string) => Promise<{ statusCode: number; body: string; link: string | undefined }>;

const label = fc.oneof(
  fc.tuple(fc.nat(3), fc.nat(3), fc.nat(3)).map((parts) => parts.join('.')),
  fc.tuple(fc.nat(3), fc.nat(3)).map((parts) => `v${parts.join('.')}`),
  fc.tuple(fc.nat(3), fc.nat(3), fc.nat(3)).map((parts) => `${parts.join('.')}-beta.2`),
);
const timestamp = fc.oneof(
  fc.integer({ min: 1, max: 6 }).map((day) => `2026-05-0${day}`),
  fc.integer({ min: 1, max: 6 }).map((day) => `2026-05-0${day}T09:00:00Z`),
  fc.integer({ min: 1, max: 6 }).map((day) => `2026-05-0${day}T11:00:00.001+02:00`),
);
/** Most of them whole, others only their beginning. */
const word = fc
  .tuple(fc.constantFrom(...VOCABULARY, 'nowhere'), fc.constantFrom(1, 2, 3, 4, 5, 100, 100, 100))
  .map(([whole, length]) => [...whole].slice(0, length).join(''));
const words = fc
  .array(fc.tuple(word, fc.constantFrom(...SEPARATORS, ' ', ' ')), {
    minLength: 1,
    maxLength: 3,
  })
  .map((parts) => parts.flat().join(''));
const query: fc.Arbitrary<FeedQuery> = fc.record(
  {
    limit: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 100 })),
    since: timestamp,
    until: timestamp,
    from: label,
    to: label,
    type: fc.uniqueArray(fc.constantFrom(...CHANGE_TYPES), { minLength: 1, maxLength: 3 }),
    breaking: fc.boolean(),
    prerelease: fc.boolean(),
    q: words,
    include: fc.constant('changes' as const),
  },
  { requiredKeys: [] },
);
const cases = fc.tuple(query, fc.constantFrom<Surface>('public', 'team'));

/** Returns the number of cases; throws at the first where the service and the oracle differ. */
export async function compareWithOracle(options: { cases: number; seed: number }): Promise<number> {
  let tried = 0;
  for (let round = 0; tried < options.cases; round++) {
    const seed = options.seed + round;
    const [changelog = []] = fc.sample(changelogs(VERSIONS_MAX), { numRuns: 1, seed });
    const wanted = Math.min(CASES_A_CHANGELOG, options.cases - tried);
    await withService(changelog, async (service) => {
      await compareNames(service.ask, changelog);
      for (const [asked, surface] of fc.sample(cases, { numRuns: wanted, seed })) {
        const label = `seed ${seed}, ${surface}: ${JSON.stringify(asked)}`;
        await compareCase(service, changelog, surface, asked).catch((error) => {
          throw new Error(`${label}\n${error.message}`, { cause: error });
        });
        tried++;
      }
    });
  }
  return tried;
}

async function withService(changelog: Changelog, work: (service: Service) => Promise<void>): Promise<void> {
  const scope = openScope();
  try {
    const sandbox = { folder: temporaryFolder(scope) };
    const product = {
      slug: PRODUCT,
      name: 'Rocket',
      status: 'published',
      changelog: { status: 'published', versions: changelog.map(asContent) },
    };
    const others = changelog
      .filter((_, index) => index % 2 === 0)
      .map((one) => ({ ...one, id: `${one.id}_2` }));
    const other = {
      ...product,
      slug: OTHER,
      changelog: { ...product.changelog, versions: others.map(asContent) },
    };
    await apply(sandbox, {
      team: { slug: TEAM, name: 'Acme', visibility: 'public', plan: 'paid' },
      products: [product, other],
    });
    const { key } = await createKey(sandbox, TEAM, '--kind', 'FULL');
    const { app } = await startApp(scope, sandbox, { BASE_URL, LOG_LEVEL: 'silent' });
    const db = await openReader(databaseUrl(sandbox));
    scope.after(() => db.destroy());
    const ask: Ask = async (url) => {
      const headers = url.startsWith(FEEDS.team) ? { authorization: `Bearer ${key}` } : {};
      const { statusCode, body, headers: received } = await app.inject({ url, headers });
      return { statusCode, body, link: received.link as string | undefined };
    };
    await work({ ask, db });
  } finally {
    await scope.close();
  }
}

function asContent({ publishedAt, ...version }: Changelog[number]) {
  return publishedAt === null ? version : { ...version, publishedAt };
}

async function compareCase(
  { ask, db }: Service,
  changelog: Changelog,
  surface: Surface,
  asked: FeedQuery,
): Promise<void> {
  const expected = expectedVersions(changelog, surface, asked);
  const got = [];
  let url: string | undefined = FEEDS[surface] + writeQuery(asked, surface);
  while (url !== undefined) {
    const { statusCode, body, link } = await ask(url);
    assert.equal(statusCode, 200, body);
    const { versions } = JSON.parse(body).data;
    if (link !== undefined)
      assert.equal(versions.length, asked.limit, 'a page that has a next page must be full');
    else if (asked.limit !== undefined) assert.ok(versions.length <= asked.limit);
    got.push(...versions);
    const next =
      link === undefined ? undefined : /^<https:\/\/changes\.example\/x(.+)>; rel="next"$/.exec(link);
    assert.notEqual(next, null);
    url = next?.[1];
  }
  assert.deepEqual(
    got.map(({ id }) => id),
    expected.map(({ id }) => id),
  );
  const { feed } = parseQuery(writeQuery(asked, surface), FEED_PARAMETERS);
  const path = { team: TEAM, product: PRODUCT };
  const { found } = await findIndexedPage(db, path, visibleRows(surface), feed, {});
  assert.deepEqual(found?.matches, { count: expected.length, isMore: false });
  await compareTimeline(db, surface, feed);
  if (asked.include === 'changes') assert.deepEqual(got.map(withoutMade), expected.map(asWritten));
}

/** The timeline has the versions of both products in one order. */
async function compareTimeline(db: Reader, surface: Surface, feed: Feed): Promise<void> {
  const visible = visibleRows(surface);
  const pages = [PRODUCT, OTHER].map((product) =>
    findPage(db, { team: TEAM, product }, visible, { ...feed, limit: null }),
  );
  const expected = (await Promise.all(pages))
    .flatMap(({ found }) => found?.versions ?? [])
    .map(({ sortKey, id }) => ({ sortKey, id }))
    .sort((one, other) =>
      one.sortKey === other.sortKey ? (one.id < other.id ? -1 : 1) : one.sortKey < other.sortKey ? 1 : -1,
    );
  for (const products of surface === 'public' ? [null] : [null, [PRODUCT, OTHER]]) {
    const got: string[] = [];
    let after: FeedPosition | null = null;
    do {
      const query = { ...feed, limit: feed.limit ?? 7, after };
      const { found }: Awaited<ReturnType<typeof findTimeline>> = await findTimeline(
        db,
        TEAM,
        visible,
        query,
        products,
      );
      got.push(...(found?.versions ?? []).map(({ id }) => id));
      after = found?.end ?? null;
    } while (after !== null);
    assert.deepEqual(
      got,
      expected.map(({ id }) => id),
      'the timeline has other versions',
    );
  }
}

/** The authored fields of a version, of a record or of the content. */
const withoutMade = ({ id, description, yanked, changes }: Changelog[number]) => ({
  id,
  description,
  yanked,
  changes: changes.map(({ type, text, breaking }) => ({ type, text, breaking })),
});
const asWritten = withoutMade;

async function compareNames(ask: Ask, changelog: Changelog): Promise<void> {
  for (const surface of ['public', 'team'] as const) {
    const found = async (name: string) => {
      const { statusCode, body } = await ask(`${FEEDS[surface]}/versions/${encodeURIComponent(name)}`);
      return statusCode === 200 ? JSON.parse(body).data.id : statusCode;
    };
    assert.equal(await found('latest'), expectedLatest(changelog)?.id ?? 404);
    const visible = expectedVersions(changelog, surface, {});
    for (const { version } of changelog) {
      if (version === 'latest') continue;
      const other = /^v\d/.test(version) ? version.slice(1) : `v${version}`;
      const expected = [version, other].flatMap((name) => visible.filter((one) => one.version === name));
      assert.equal(await found(version), expected[0]?.id ?? 404, version);
    }
  }
}

/** On one of the surfaces as some libraries write it: lists with commas, and booleans as numbers. */
function writeQuery({ type = [], prerelease, ...others }: FeedQuery, surface: Surface): string {
  const isPlain = surface === 'public';
  const types = isPlain || type.length === 0 ? type : [type.join()];
  const pairs = [...Object.entries(others), ...types.map((one) => ['type', one])];
  if (prerelease !== undefined) pairs.push(['prerelease', String(isPlain ? prerelease : Number(prerelease))]);
  return `?${new URLSearchParams(pairs.map(([name, value]): [string, string] => [String(name), String(value)]))}`;
}
