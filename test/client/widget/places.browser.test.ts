// Where the widget reads, and where it leads: a product with a domain of its own, a server below a path.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import inject from 'light-my-request';
import type { Page } from 'playwright-core';
import { listenApp } from '../../../support/program/app.ts';
import { apply } from '../../../support/program/command.ts';
import { document, FEED, setStage, version } from './stage.ts';

const QUIET = { console: [], errors: [], dialogs: [], outside: [] };

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
