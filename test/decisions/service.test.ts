// A sample of the cells in rules.once.test.ts, requested from the running service with a real database.
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { before, describe, it } from 'node:test';
import { formatApiKey } from '../../src/domain/access/api-key.ts';
import { LISTS } from '../../support/content/pages.ts';
import { sharedScope, temporaryFolder } from '../../support/processes/scope.ts';
import { startApp, type TestApp } from '../../support/program/app.ts';
import { apply, createKey, runOk, type Sandbox } from '../../support/program/command.ts';
import { COMMON, FORMS, isAskedIn } from './forms.ts';
import {
  allCells,
  type Cell,
  CHANGELOG_STATES,
  describeCell,
  expected,
  expectedOfGitea,
  PRODUCT_STATES,
  TEAM_VISIBILITIES,
} from './table.ts';

type Ids = Record<'draft' | 'published', string>;

describe('the service, by a sample', () => {
  const scope = sharedScope();
  const sandbox: Sandbox = { folder: temporaryFolder(scope) };
  const keys = new Map<string, string>();
  const versions = new Map<string, Ids>();
  let app: TestApp;

  before(async () => {
    for (const visibility of TEAM_VISIBILITIES) await apply(sandbox, teamDocument(visibility));
    for (const visibility of TEAM_VISIBILITIES) await makeKeys(sandbox, visibility, keys);
    ({ app } = await startApp(scope, sandbox, { LISTING: 'all' }));
    await readVersionIds(app, keys, versions);
  });

  const ask = async (cell: Cell, url: string) => {
    const authorization = authorizationOf(cell, keys);
    const { statusCode, body, headers } = await app.inject({
      url,
      headers: authorization === undefined ? {} : { authorization },
    });
    if (statusCode !== 200 && !url.startsWith('/changelog'))
      assert.deepEqual(Object.keys(JSON.parse(body)), ['error'], describeCell(cell));
    return { status: statusCode, body, headers };
  };

  it('the service decides as specified', async (t) => {
    t.diagnostic(`the sample begins with combination ${FIRST}`);
    const cells = sampleOf(allCells());
    assert.ok(cells.length > 500, `${cells.length} cells`);
    await forEach(cells, async (cell) => {
      const { status, body } = await ask(cell, urlOf(cell, versions));
      const { status: wanted, listsVersion } = expected(cell);
      assert.equal(status, wanted, describeCell(cell));
      if (status !== 200 || cell.version === 'nonexistent') return;
      const id = idsOf(cell, versions)?.[cell.version];
      if (cell.route === 'version') assert.equal(JSON.parse(body).data.id, id, describeCell(cell));
      else assert.equal(listedIds(JSON.parse(body)).includes(id as string), listsVersion, describeCell(cell));
    });
  });

  it('the service decides likewise for every kind of request for a changelog or a version', async () => {
    let asked = 0;
    for (const form of FORMS) {
      await forEach(sampleOf(allCells().filter((cell) => isAskedIn(form, cell))), async (cell) => {
        const told = `${form.name}: ${describeCell(cell)}`;
        const label = LABELS[cell.version];
        const url = form.isPage ? urlOfPage(cell) : urlOfProduct(cell, slugOf(cell));
        const { status, body } = await ask(cell, url + form.below(label));
        const { status: wanted, listsVersion } = expected(cell);
        assert.equal(status, wanted, told);
        asked++;
        if (status !== 200 || cell.version === 'nonexistent') return;
        const id = String(idsOf(cell, versions)?.[cell.version]);
        assert.equal(form.shows(body, { id, label }), cell.route === 'version' || listsVersion, told);
      });
    }
    assert.ok(asked > 1_000, `${asked} were asked`);
  });

  it('the service decides for clients of Gitea, with whom a valid key for something else reads as anyone does', async () => {
    const cells = allCells().filter(({ surface }) => surface === 'team');
    await forEach(cells, async (cell) => {
      const told = describeCell(cell);
      const repository = `/api/v1/repos/${cell.team}/${slugOf(cell)}`;
      const label = LABELS[cell.version];
      const below = cell.route === 'version' ? `/releases/tags/${label}` : '/releases';
      const { status, body, headers } = await ask(cell, repository + below);
      const { status: wanted, listsVersion, asAnyone } = expectedOfGitea(cell);
      assert.equal(status, wanted, told);
      assert.equal(headers.ratelimit !== undefined, asAnyone, told);
      assert.equal(headers['access-control-allow-origin'], asAnyone ? '*' : undefined, told);
      assert.match(String(headers.vary), /^Authorization/, told);
      const cached = asAnyone ? 'public, max-age=30' : 'private, no-cache';
      assert.equal(headers['cache-control'], status === 200 ? cached : 'no-store', told);
      if (status === 200 && cell.route === 'version') assert.equal(JSON.parse(body).tag_name, label, told);
      else if (status === 200) assert.equal(body.includes(`"tag_name":"${label}"`), listsVersion, told);
    });
  });

  it('the service lists exactly the products whose pages it shows', async () => {
    const cells = allCells().filter(({ surface, route }) => surface === 'public' && route === 'changelog');
    for (const url of ['/changelog/public', '/', ...LISTS]) {
      const { body } = await app.inject(url);
      for (const cell of cells) {
        const names = new RegExp(`${cell.team}/${slugOf(cell)}(?![\\w-])`);
        assert.equal(names.test(body), expected(cell).status === 200, `${url}: ${describeCell(cell)}`);
      }
      assert.ok(!/private\/|draft-|locked-/.test(body), url);
    }
    const [hidden, missing] = [await app.inject('/changelog/private'), await app.inject('/changelog/nobody')];
    assert.deepEqual([hidden.statusCode, hidden.body], [404, missing.body]);
  });

  it('the service lists on a timeline, and among the products of a team, exactly what it shows', async () => {
    const requests = new Map(
      allCells()
        .filter(({ route }) => route === 'changelog')
        .map((cell) => [`${cell.team} ${cell.surface} ${cell.credential}`, cell]),
    );
    assert.equal(requests.size, 48);
    for (const asked of requests.values()) {
      const { team, surface, credential } = asked;
      const url = `/api/v1/${surface === 'public' ? 'public/' : ''}teams/${team}`;
      // A team is refused or missing as a whole, whatever its products are.
      const isOwn =
        surface === 'public' || ['full', 'select, attached', 'select, not attached'].includes(credential);
      const status = isOwn
        ? surface === 'public' && team === 'private'
          ? 404
          : 200
        : expected(asked).status;
      const timeline = await ask(asked, `${url}/versions`);
      const products = await ask(asked, `${url}/products`);
      assert.deepEqual([timeline.status, products.status], [status, status], describeCell(asked));
      if (status !== 200) continue;
      const ids = listedIds(JSON.parse(timeline.body));
      const slugs: string[] = JSON.parse(products.body).data.products.map(
        ({ slug }: { slug: string }) => slug,
      );
      const known = allCells().filter(
        (cell) =>
          cell.route === 'changelog' &&
          cell.team === team &&
          cell.surface === surface &&
          cell.credential === credential &&
          cell.product !== 'nonexistent' &&
          cell.version !== 'nonexistent',
      );
      for (const cell of known) {
        const { status: shown, listsVersion } = expected(cell);
        assert.equal(slugs.includes(slugOf(cell)), shown === 200, describeCell(cell));
        const id = idsOf(cell, versions)?.[cell.version as keyof Ids];
        if (id !== undefined) assert.equal(ids.includes(id), listsVersion, describeCell(cell));
      }
    }
  });

  it('the service treats `latest` like the version it stands for, which is never a draft', async () => {
    const cells = allCells().filter(({ route, version }) => route === 'version' && version === 'published');
    await forEach(sampleOf(cells), async (cell) => {
      const { status, body } = await ask(cell, `${urlOfProduct(cell, slugOf(cell))}/versions/latest`);
      assert.equal(status, expected(cell).status, describeCell(cell));
      if (status !== 200) return;
      assert.equal(JSON.parse(body).data.id, idsOf(cell, versions)?.published, describeCell(cell));
    });
  });

  it('the service has feeds on the public surface only, even with a key', async () => {
    const cells = allCells().filter(({ surface, product, changelog }) => {
      return surface === 'team' && product === 'published' && changelog === 'published';
    });
    for (const form of FORMS.filter(({ surfaces, isPage }) => !isPage && !surfaces.includes('team'))) {
      await forEach(sampleOf(cells), async (cell) => {
        const url = urlOfProduct(cell, slugOf(cell)) + form.below('');
        assert.equal((await ask(cell, url)).status, 404, describeCell(cell));
      });
    }
  });
});

/** Coprime with the number of values of every property, so that the sample has all of them. */
const EVERY = 7;
const FIRST = randomInt(EVERY);

/** All that are served, and every seventh of the others. */
function sampleOf(cells: readonly Cell[]): Cell[] {
  return cells.filter((cell, index) => index % EVERY === FIRST || expected(cell).status === 200);
}

/** Concurrent requests, as on sockets. */
const AT_ONCE = 8;

async function forEach<T>(items: readonly T[], check: (item: T) => Promise<void>): Promise<void> {
  for (let first = 0; first < items.length; first += AT_ONCE)
    await Promise.all(items.slice(first, first + AT_ONCE).map(check));
}

const slugOf = ({ product, changelog }: Pick<Cell, 'product' | 'changelog'>) => `${product}-${changelog}`;

function teamDocument(visibility: string) {
  const products = PRODUCT_STATES.filter((state) => state !== 'nonexistent').flatMap((product) =>
    CHANGELOG_STATES.map((changelog) => ({
      slug: slugOf({ product, changelog }),
      name: 'A product',
      status: product,
      ...(changelog !== 'nonexistent' && { changelog: { status: changelog, versions: VERSIONS } }),
    })),
  );
  const decoy = { slug: 'decoy', name: 'Attached to keys that may not read the others', status: 'published' };
  return {
    team: { slug: visibility, name: 'A team', visibility, plan: 'paid' },
    products: [...products, decoy],
  };
}

const LABELS: Record<Cell['version'], string> = { draft: '2.0.0', published: '1.0.0', nonexistent: '9.9.9' };

const VERSIONS = [
  { version: LABELS.draft, title: 'A draft', status: 'draft' },
  { version: LABELS.published, title: 'Published', status: 'published', publishedAt: '2026-01-01' },
].map((version) => ({ ...version, changes: [{ type: COMMON.type, text: COMMON.word }] }));

async function makeKeys(sandbox: Sandbox, team: string, keys: Map<string, string>): Promise<void> {
  const slugs = teamDocument(team).products.map(({ slug }) => slug);
  const attached = slugs.filter((slug) => slug !== 'decoy').flatMap((slug) => ['--product', slug]);
  const disabled = async (...flags: string[]) => {
    const { id, key } = await createKey(sandbox, team, ...flags);
    await runOk(sandbox, ['key', 'disable', id]);
    return key;
  };
  keys.set(`${team} full`, (await createKey(sandbox, team, '--kind', 'FULL')).key);
  keys.set(`${team} select, attached`, (await createKey(sandbox, team, '--kind', 'SELECT', ...attached)).key);
  keys.set(`${team} decoy`, (await createKey(sandbox, team, '--kind', 'SELECT', '--product', 'decoy')).key);
  keys.set(`${team} disabled full`, await disabled('--kind', 'FULL'));
  keys.set(`${team} disabled select`, await disabled('--kind', 'SELECT', ...attached));
  const expired = async (...flags: string[]) =>
    (
      await createKey(
        { ...sandbox, now: '2026-01-01T00:00:00.000Z' },
        team,
        ...flags,
        '--expires',
        '2026-01-02',
      )
    ).key;
  keys.set(`${team} expired full`, await expired('--kind', 'FULL'));
  keys.set(`${team} expired select`, await expired('--kind', 'SELECT', ...attached));
}

function authorizationOf({ team, credential }: Cell, keys: Map<string, string>): string | undefined {
  const other = team === 'public' ? 'private' : 'public';
  const keyed: Record<Cell['credential'], string | undefined> = {
    none: undefined,
    malformed: 'not-a-key',
    unknown: formatApiKey((below) => below - 1),
    full: keys.get(`${team} full`),
    'disabled full': keys.get(`${team} disabled full`),
    'disabled select': keys.get(`${team} disabled select`),
    'expired full': keys.get(`${team} expired full`),
    'expired select': keys.get(`${team} expired select`),
    'select, attached': keys.get(`${team} select, attached`),
    'select, not attached': keys.get(`${team} decoy`),
    'full of another team': keys.get(`${other} full`),
    'select of another team, same product slug': keys.get(`${other} select, attached`),
  };
  const key = keyed[credential];
  return key === undefined ? undefined : `Bearer ${key}`;
}

const urlOfProduct = ({ team, surface }: Pick<Cell, 'team' | 'surface'>, slug: string) =>
  `/api/v1/${surface === 'public' ? 'public/' : ''}teams/${team}/products/${slug}/changelog`;

const urlOfPage = (cell: Cell) => `/changelog/${cell.team}/${slugOf(cell)}`;

function urlOf(cell: Cell, versions: Map<string, Ids>): string {
  const feed = urlOfProduct(cell, slugOf(cell));
  if (cell.route === 'changelog') return feed;
  // If the product has no such version, use an id that exists elsewhere: it must not be found here.
  const elsewhere = versions.get(`${cell.team} published-published`) as Ids;
  const ids = idsOf(cell, versions) ?? elsewhere;
  return `${feed}/versions/${cell.version === 'nonexistent' ? 'ver_nonexistent' : ids[cell.version]}`;
}

function idsOf(cell: Cell, versions: Map<string, Ids>): Ids | undefined {
  return versions.get(`${cell.team} ${slugOf(cell)}`);
}

function listedIds(body: { data: { versions: { id: string }[] } }): string[] {
  return body.data.versions.map(({ id }) => id);
}

async function readVersionIds(
  app: TestApp,
  keys: Map<string, string>,
  versions: Map<string, Ids>,
): Promise<void> {
  for (const team of TEAM_VISIBILITIES) {
    for (const { slug, ...product } of teamDocument(team).products) {
      if (!('changelog' in product)) continue;
      const headers = { authorization: `Bearer ${keys.get(`${team} full`)}` };
      const { data } = (
        await app.inject({ url: urlOfProduct({ team, surface: 'team' }, slug), headers })
      ).json();
      const idOf = (label: string) =>
        data.versions.find((version: { version: string }) => version.version === label).id;
      versions.set(`${team} ${slug}`, { draft: idOf(LABELS.draft), published: idOf(LABELS.published) });
    }
  }
}
