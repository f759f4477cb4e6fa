// latest.txt, badge.json and badge.svg (R56).
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { ACME, HIDDEN_PATHS, PUBLIC_FEED, TEAM_FEED } from '../../../support/content/world.ts';
import { execute } from '../../../support/databases/engine.ts';
import { startApp } from '../../../support/program/app.ts';
import { apply, runOk } from '../../../support/program/command.ts';
import { becomes } from '../../support/becomes.ts';
import { suiteWithWorld } from '../../support/suite.ts';

const FILES = ['latest.txt', 'badge.json', 'badge.svg'];
const SMALL = '/api/v1/public/teams/small/products';
const EMPTY = '/api/v1/public/teams/acme/products/new/changelog';
const BLUE = '#0a58ca';

type Labelled = Readonly<{ version: string; status?: string; yanked?: boolean }>;
const PRODUCTS: Record<string, Readonly<{ accent?: string; versions: readonly Labelled[] }>> = {
  // The newest by date is a backport, and the highest is a prerelease.
  backport: { versions: [{ version: '1.9.5' }, { version: '3.0.0-rc.1' }, { version: 'v2.0.0' }] },
  early: { versions: [{ version: '0.1.0-beta.1' }] },
  withdrawn: { versions: [{ version: '1.0.0', yanked: true }] },
  branded: { accent: '#fc0', versions: [{ version: '1.0.0' }] },
  named: { versions: [{ version: '<b>春 & "summer" 🚀</b>' }] },
  draft: { versions: [{ version: '1.0.0', status: 'draft' }] },
};

const suite = suiteWithWorld();
before(() =>
  apply(suite.sandbox, {
    team: { slug: 'small', name: 'Small', visibility: 'public' },
    products: Object.entries(PRODUCTS).map(([slug, { accent, versions }]) => ({
      slug,
      name: slug,
      status: 'published',
      ...(accent !== undefined && { accent }),
      changelog: {
        status: 'published',
        versions: versions.map((version, index) => ({
          title: '',
          status: 'published',
          ...(version.status !== 'draft' && { publishedAt: `2026-01-${30 - index}` }),
          ...version,
        })),
      },
    })),
  }),
);

const read = async (url: string) => {
  const response = await suite.app.inject(url);
  assert.equal(response.statusCode, 200, `${url}: ${response.body}`);
  return response;
};
const badgeOf = async (product: string, query = '') =>
  JSON.parse((await read(`${SMALL}/${product}/changelog/badge.json${query}`)).body);

describe('latest.txt (R56)', () => {
  it('is the label of `latest` and a newline', async () => {
    const { body, headers } = await read(`${PUBLIC_FEED}/latest.txt`);
    assert.deepEqual([body, headers['content-type']], ['2.1.0\n', 'text/plain; charset=utf-8']);
    for (const product of Object.keys(PRODUCTS)) {
      const latest = await suite.app.inject(`${SMALL}/${product}/changelog/versions/latest`);
      const file = await suite.app.inject(`${SMALL}/${product}/changelog/latest.txt`);
      assert.equal(file.statusCode, latest.statusCode, product);
      if (latest.statusCode === 200) assert.equal(file.body, `${JSON.parse(latest.body).data.version}\n`);
    }
  });

  it('is 404 without a published version, exactly as for a missing product', async () => {
    const refusals = [
      `${EMPTY}/latest.txt`,
      `${SMALL}/draft/changelog/latest.txt`,
      `${SMALL}/x/changelog/latest.txt`,
    ];
    const bodies = new Set<string>();
    for (const url of refusals) {
      const { statusCode, body } = await suite.app.inject(url);
      assert.equal(statusCode, 404, url);
      bodies.add(body);
    }
    assert.equal(bodies.size, 1);
  });

  it('is one line, whatever plain SQL wrote into the label', async () => {
    await execute(
      suite.sandbox,
      "update versions set label = '1\n2\u001b[31m\u2028\u0085x' where label = '0.1.0-beta.1'",
    );
    const lines = async () => (await read(`${SMALL}/early/changelog/latest.txt`)).body;
    await becomes(lines, '1 2 [31m  x\n');
    assert.equal((await badgeOf('early')).message, '1 2 [31m  x');
    await execute(suite.sandbox, "update versions set label = '0.1.0-beta.1' where label like '1_2%'");
    await becomes(lines, '0.1.0-beta.1\n');
  });

  it('shows a version as soon as it is published', async () => {
    const shown = async () => [
      (await read(`${PUBLIC_FEED}/latest.txt`)).body,
      JSON.parse((await read(`${PUBLIC_FEED}/badge.json`)).body).message,
    ];
    await runOk(suite.sandbox, ['version', 'publish', 'acme/rocket', '3.0.0']);
    await becomes(shown, ['3.0.0\n', '3.0.0']);
    await runOk(suite.sandbox, ['version', 'unpublish', 'acme/rocket', '3.0.0']);
    await becomes(shown, ['2.1.0\n', '2.1.0']);
  });
});

describe('badge.json (R56)', () => {
  it("has the form of shields' endpoint badges", async () => {
    const { body, headers } = await read(`${PUBLIC_FEED}/badge.json`);
    assert.equal(headers['content-type'], 'application/json; charset=utf-8');
    assert.deepEqual(JSON.parse(body), {
      schemaVersion: 1,
      label: 'changelog',
      message: '2.1.0',
      color: BLUE,
      cacheSeconds: 300,
    });
  });

  it('has another colour for a prerelease and for a yanked version, which it says in words', async () => {
    const badges = [];
    for (const product of ['backport', 'early', 'withdrawn']) badges.push(await badgeOf(product));
    assert.deepEqual(
      badges.map(({ message }) => message),
      ['v2.0.0', '0.1.0-beta.1', '1.0.0 (yanked)'],
    );
    assert.equal(new Set(badges.map(({ color }) => color)).size, 3);
  });

  it("has the product's colour, made readable", async () => {
    assert.match((await badgeOf('branded')).color, /^#8\w6\w00$/);
  });

  it('says so without a published version, as drafts are not there', async () => {
    for (const product of [EMPTY, `${SMALL}/draft/changelog`]) {
      const { label, message } = JSON.parse((await read(`${product}/badge.json`)).body);
      assert.deepEqual([label, message], ['changelog', 'none yet']);
    }
  });

  it('label replaces "changelog"', async () => {
    const label = '🚀'.repeat(40);
    assert.equal((await badgeOf('backport', `?label=${encodeURIComponent(label)}`)).label, label);
    assert.equal((await badgeOf('backport', '?label=what%27s+new')).label, "what's new");
    assert.equal((await badgeOf('backport', '?label=a%0Ab%00')).label, 'a b ');
  });

  it('a label that is empty or too long is 400 and named', async () => {
    for (const query of ['?label=', '?label=%20', `?label=${'x'.repeat(41)}`, '?label=a&label=b', '?lable=a'])
      for (const file of ['badge.json', 'badge.svg']) {
        const { statusCode, body } = await suite.app.inject(`${PUBLIC_FEED}/${file}${query}`);
        assert.equal(statusCode, 400, query);
        assert.match(JSON.parse(body).error.message, /\blabel\b/);
      }
  });
});

describe('badge.svg (R56)', () => {
  it('is an image that other sites may embed, and harmless when opened', async () => {
    const { headers, body } = await read(`${PUBLIC_FEED}/badge.svg`);
    assert.equal(headers['content-security-policy'], "default-src 'none'; sandbox");
    assert.equal(headers['cross-origin-resource-policy'], 'cross-origin');
    assert.equal(headers['content-type'], 'image/svg+xml; charset=utf-8');
    assert.match(body, /<title>changelog: 2\.1\.0<\/title>/);
  });

  it('shows the same as badge.json', async () => {
    for (const product of Object.keys(PRODUCTS)) {
      const { label, message, color } = await badgeOf(product, '?label=new%20in');
      const { body } = await read(`${SMALL}/${product}/changelog/badge.svg?label=new%20in`);
      const escaped = message
        .replaceAll('&', '&amp;')
        .replaceAll('<', '&lt;')
        .replaceAll('>', '&gt;')
        .replaceAll('"', '&quot;');
      assert.ok(
        body.includes(`<title>${label}: ${escaped}</title>`) && body.includes(`fill="${color}"`),
        body,
      );
    }
  });
});

describe('small files as public routes', () => {
  it('are 404 if anything above them is hidden, and on the authenticated surface', async () => {
    const hidden = HIDDEN_PATHS.filter((path) => path.endsWith('/changelog'));
    const headers = { authorization: `Bearer ${suite.world.full}` };
    for (const file of FILES) {
      const missing = await suite.app.inject(`/api/v1/public/teams/x/products/y/changelog/${file}`);
      for (const path of hidden) {
        const { statusCode, body } = await suite.app.inject(`${path}/${file}`);
        assert.deepEqual([statusCode, body], [404, missing.body], path);
      }
      assert.equal((await suite.app.inject({ url: `${TEAM_FEED}/${file}`, headers })).statusCode, 404);
    }
  });

  it('support HEAD, OPTIONS, 405 and 304, are limited and gated', async (t) => {
    const gate = {
      PASSWORD_PROTECTION: 'true',
      PASSWORD_PROTECTION_USERNAME: 'u',
      PASSWORD_PROTECTION_PASSWORD: 'p',
    };
    const gated = await startApp(t, suite.sandbox, gate);
    for (const file of FILES) {
      const url = `${PUBLIC_FEED}/${file}`;
      const whole = await read(url);
      assert.equal(whole.headers['cache-control'], 'public, max-age=30');
      assert.ok(whole.headers['ratelimit-policy']);
      const head = await suite.app.inject({ url, method: 'HEAD' });
      assert.deepEqual([head.statusCode, head.body, head.headers.etag], [200, '', whole.headers.etag]);
      assert.equal((await suite.app.inject({ url, method: 'OPTIONS' })).statusCode, 204);
      assert.equal((await suite.app.inject({ url, method: 'POST' })).statusCode, 405);
      assert.equal((await gated.app.inject(url)).statusCode, 401);
    }
  });

  it('do not change when a draft is edited', async () => {
    const etags = async () => {
      const responses = [];
      for (const file of FILES) responses.push(await read(`${PUBLIC_FEED}/${file}`));
      return responses.map(({ headers }) => headers.etag);
    };
    const before = await etags();
    const edited = structuredClone(ACME);
    Object.assign(edited.products[0]?.changelog?.versions?.[0] ?? {}, { title: 'Edited', version: '9.0.0' });
    await apply(suite.sandbox, edited);
    assert.deepEqual(await etags(), before);
  });
});
