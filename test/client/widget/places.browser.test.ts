// Where the widget reads, and where it leads: a team, a product with a domain of its own, a server below a path.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import inject from 'light-my-request';
import type { Page } from 'playwright-core';
import {
  changeLook,
  findAccessibilityProblems,
  findOverflow,
  LOOKS,
} from '../../../support/browser/accessibility.ts';
import { listenApp } from '../../../support/program/app.ts';
import { apply } from '../../../support/program/command.ts';
import { document, FEED, setStage, version } from './stage.ts';

const QUIET = { console: [], errors: [], dialogs: [], outside: [] };
const TEAM_FEED = '/api/v1/public/teams/acme/versions';
const HEBREW = 'דלק';

const linksOf = (page: Page, selector: string): Promise<string[]> =>
  page.locator(selector).evaluateAll((links: { href?: string }[]) => links.map(({ href = '' }) => href));

describe('<whats-new>: places', () => {
  const stage = setStage([version('1.0.0'), version('2.0.0')]);

  async function publish(slug: string, name: string, versions: object[], more: object = {}) {
    const changelog = { id: `cl_${slug}`, status: 'published', versions };
    await apply(stage.sandbox, {
      team: { slug: 'acme', name: 'Acme', visibility: 'public', plan: 'paid' },
      products: [{ slug, name, status: 'published', changelog, ...more }],
    });
  }
  const ofTeam = (attributes = '', content = "<a href='#'>What's new</a>") =>
    document(`<whats-new team="acme" base-url="${stage.api}" ${attributes}>${content}</whats-new>`);

  before(async () => {
    await publish('fuel', HEBREW, [
      version('1.5.0', { id: 'ver_f15', title: '' }),
      version('0.9.0', { id: 'ver_f09' }),
    ]);
  });

  it('of a team it shows the newest versions of all products, each with its product, and leads to their pages', async () => {
    const { page, asked, incidents } = await stage.open(ofTeam('mode="inline"', ''));
    await page.locator('[part=more]').waitFor();
    assert.deepEqual(asked, [`${TEAM_FEED}?limit=10&include=changes`]);
    assert.deepEqual(await page.locator('[part=meta] a').allTextContents(), [
      'Rocket',
      HEBREW,
      'Rocket',
      HEBREW,
    ]);
    assert.deepEqual(await page.locator('[part=title]').allTextContents(), [
      'Release 2.0.0',
      '1.5.0',
      'Release 1.0.0',
      'Release 0.9.0',
    ]);
    const pages = `${stage.api}/changelog/acme`;
    assert.deepEqual(await linksOf(page, '[part=title] a'), [
      `${pages}/rocket/versions/ver_200`,
      `${pages}/fuel/versions/ver_f15`,
      `${pages}/rocket/versions/ver_100`,
      `${pages}/fuel/versions/ver_f09`,
    ]);
    const links = await linksOf(page, 'whats-new a');
    assert.equal(links.at(-1), `${pages}?`);
    for (const link of links) assert.equal((await fetch(link)).status, 200, link);

    const opened = page.context().waitForEvent('page');
    await page.locator('[part=meta] a').first().click();
    const product = await opened;
    assert.equal(product.url(), `${pages}/rocket`);
    assert.equal(await product.evaluate('opener'), null);
    assert.deepEqual(incidents, QUIET);
    await page.context().close();
  });

  it('of a team it is accessible, in every look', async () => {
    const { page } = await stage.open(ofTeam('mode="inline"', ''));
    await page.locator('[part=more]').waitFor();
    for (const look of LOOKS) {
      await changeLook(page, look);
      const found = [...(await findAccessibilityProblems(page)), ...(await findOverflow(page))];
      assert.deepEqual(found, [], JSON.stringify(look));
    }
    await page.context().close();
  });

  it('of a team it counts the unread versions of all products, apart from those of one product', async () => {
    const html = ofTeam() + stage.element('', "<a href='#'>Rocket</a>");
    const { page, asked } = await stage.open(html);
    const teamKey = `whats-new:${stage.api}/acme`;
    await page.waitForFunction(`localStorage['${teamKey}'] && localStorage['${teamKey}/rocket']`);
    assert.deepEqual(await page.evaluate(`JSON.parse(localStorage['${teamKey}'])`), [
      'ver_200',
      'ver_f15',
      'ver_100',
      'ver_f09',
    ]);
    assert.deepEqual(asked.toSorted(), [`${FEED}?limit=10`, `${TEAM_FEED}?limit=10`].sort());
    await publish('fuel', HEBREW, [version('3.0.0', { id: 'ver_f30' })]);
    await page.evaluate(`delete localStorage['${teamKey}?'], delete localStorage['${teamKey}/rocket?']`);
    await page.reload();
    await page.getByRole('link', { name: "What's new, 1 unread" }).click();
    await page.getByRole('dialog').getByText('Something for 3.0.0').waitFor();
    await page.getByRole('link', { name: "What's new", exact: true }).waitFor();
    assert.equal(await page.locator('[product] > a').getAttribute('aria-label'), null);
    await page.context().close();
  });

  it('of a team, version and to mean nothing: its products do not share their numbers', async () => {
    const { page, asked } = await stage.open(ofTeam('version="1.9.0" to="2.0.0" mode="inline" first', ''));
    await page.locator('[part=more]').waitFor();
    assert.deepEqual(asked, [`${TEAM_FEED}?limit=10&include=changes`]);
    assert.equal(await page.locator('[part=version]').count(), 5);
    assert.equal(await page.locator('[part=status]').textContent(), '');
    assert.equal((await linksOf(page, '[part=more]'))[0], `${stage.api}/changelog/acme?`);
    await page.context().close();
  });

  it('a team that does not exist, or is not listed, could not be loaded', async () => {
    const { page, incidents } = await stage.open(ofTeam('mode="inline"', '').replace('"acme"', '"nobody"'));
    await page.getByText('Could not be loaded.').waitFor();
    assert.deepEqual(incidents.errors, []);
    await page.context().close();
  });

  describe('with a domain', () => {
    const OWN = 'http://changes.sail.example';
    before(() =>
      publish('sail', 'Sail', [version('1.1.0'), version('1.2.0')], { domain: 'changes.sail.example' }),
    );

    /** As if the name led to the service. */
    async function openWith(attributes: string, script: string) {
      const opened = await stage.browser.open({ origin: [stage.api, stage.host, OWN] });
      const { app } = await listenApp(stage.scope, stage.sandbox);
      await opened.page.route(`${OWN}/**`, async (route) => {
        const url = route.request().url().slice(OWN.length);
        const { statusCode, headers, body } = await inject(app.handle, {
          url,
          headers: { host: 'changes.sail.example' },
        });
        await route.fulfill({ status: statusCode, headers: headers as Record<string, string>, body });
      });
      const html = document(`<whats-new team="acme" product="sail" mode="inline" ${attributes}></whats-new>`);
      await opened.page.goto(stage.serve(html.replace('/widget.js', script)));
      await opened.page.locator('[part=more]').waitFor();
      const links = await linksOf(opened.page, 'whats-new a');
      for (const link of links) {
        const { statusCode } = await inject(app.handle, {
          url: link.replace(OWN, ''),
          headers: { host: 'changes.sail.example' },
        });
        assert.equal(statusCode, 200, link);
      }
      assert.deepEqual(opened.incidents, QUIET);
      await opened.page.context().close();
      return links;
    }

    it('of a product with a domain it leads there, wherever it was loaded from', async () => {
      const expected = [`${OWN}/versions/ver_120`, `${OWN}/versions/ver_110`, `${OWN}/?`];
      assert.deepEqual(await openWith('', `${OWN}/widget.js`), expected);
      assert.deepEqual(await openWith(`base-url="${stage.api}"`, '/widget.js'), expected);
      assert.deepEqual(await openWith('version="1.1.0"', `${OWN}/widget.js`), [`${OWN}/changes?from=1.1.0`]);
      assert.deepEqual(await openWith('to="1.1.0"', `${OWN}/widget.js`), [
        `${OWN}/versions/ver_110`,
        `${OWN}/?to=1.1.0`,
      ]);
    });
  });

  it('from a server below a path, it reads and leads there', async (t) => {
    const { address } = await listenApp(t, stage.sandbox, { BASE_URL: 'https://acme.example/notes' });
    const opened = await stage.browser.open({ origin: [address, stage.host] });
    const asked: string[] = [];
    opened.page.on('request', (request) => asked.push(request.url()));
    const html = document('<whats-new team="acme" product="rocket" mode="inline"></whats-new>');
    await opened.page.goto(stage.serve(html.replace('/widget.js', `${address}/notes/widget.js`)));
    await opened.page.locator('[part=more]').waitFor();
    assert.deepEqual(asked.slice(1), [
      `${address}/notes/widget.js`,
      `${address}/notes${FEED}?limit=10&include=changes`,
    ]);
    for (const link of await linksOf(opened.page, 'whats-new a')) {
      assert.ok(link.startsWith(`${address}/notes/changelog/acme/rocket`), link);
      assert.equal((await fetch(link)).status, 200, link);
    }
    assert.deepEqual(opened.incidents, QUIET);
    await opened.page.context().close();
  });
});
