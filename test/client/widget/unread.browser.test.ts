// What the widget counts as unread, and how often it asks.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { listenApp } from '../../../support/program/app.ts';
import { document, FEED, setStage, version, watchRequests } from './stage.ts';

const LIST = `${FEED}?limit=10`;
const OPENED = `${FEED}?limit=10&include=changes`;
const MINUTE_MS = 60_000;

/** Notes every event that reaches the document. */
const NOTE_EVENTS = `window.events = [];
for (const name of ['unreadchange', 'open', 'close'])
  addEventListener(name, ({ detail, target }) => events.push([name, detail?.count, detail?.ids.join(' '), target.unread]));`;

const until = async (page: Page, condition: string) => void (await page.waitForFunction(condition));
const unreadIs = (count: number) =>
  `[...document.querySelectorAll('whats-new')].every(({ unread }) => unread === ${count})`;
/** The first visit is over when it has been noted. */
const VISITED = `Object.keys(localStorage).some((key) => key.endsWith('rocket'))`;

describe('<whats-new>: unread and requests', () => {
  const stage = setStage([version('1.0.0'), version('2.0.0')]);

  /** Time passes for all tabs, and this one gets focus. */
  async function comeBack(page: Page, minutes: number) {
    const now: number = await page.evaluate('Date.now()');
    await page.context().clock.setSystemTime(now + minutes * MINUTE_MS);
    await page.evaluate(`dispatchEvent(new Event('focus'))`);
  }

  it('a first visit is silent; a new version shows 1 in every tab, until one is opened; a withdrawn one goes', async () => {
    const two = stage.element() + stage.element('mode="modal" version="1.0.0"');
    const { page, asked, url, incidents } = await stage.open(document(two), { init: NOTE_EVENTS });
    await until(page, VISITED);
    assert.deepEqual(asked, [LIST], 'two elements, one request');
    assert.equal(await page.evaluate(unreadIs(0)), true);
    assert.deepEqual(await page.evaluate('events'), []);
    assert.deepEqual(await page.evaluate(`JSON.parse(localStorage['whats-new:${stage.api}/acme/rocket'])`), [
      'ver_200',
      'ver_100',
    ]);

    const tab = await page.context().newPage();
    const askedByTab = watchRequests(tab, stage.api);
    await tab.goto(url);
    await page.reload();
    await until(page, `document.querySelector('whats-new').seen.length === 2`);
    await stage.publish(version('2.1.0'));
    await comeBack(page, 14);
    assert.deepEqual([...asked, ...askedByTab], [LIST], 'nothing more in 15 minutes');

    await comeBack(page, 2);
    await until(page, unreadIs(1));
    await until(tab, unreadIs(1));
    assert.deepEqual([...asked, ...askedByTab], [LIST, LIST]);
    assert.deepEqual(await page.evaluate('events'), [
      ['unreadchange', 1, 'ver_210', 1],
      ['unreadchange', 1, 'ver_210', 1],
    ]);
    assert.equal(await page.getByRole('link', { name: "What's new, 1 unread", exact: true }).count(), 2);
    assert.deepEqual(await page.locator('[part=badge]').allTextContents(), ['1', '1']);

    const copied = await page.evaluate(`(() => {
      const copy = document.querySelector('whats-new').cloneNode(true);
      document.body.append(copy);
      copy.remove();
      return copy.innerHTML;
    })()`);
    assert.equal(
      copied,
      `<a href="${stage.api}/changelog/acme/rocket">What's new</a>`,
      'a copy is as if it were new',
    );
    await page.evaluate('events.length = 0');
    await page.getByRole('link').first().click();
    await page.getByRole('dialog').getByText('Something for 2.1.0.').waitFor();
    await until(page, unreadIs(0));
    await until(tab, unreadIs(0));
    assert.deepEqual(asked.slice(2), [OPENED]);
    assert.deepEqual(await page.evaluate('events.map(([name, count]) => [name, count])'), [
      ['open', undefined],
      ['unreadchange', 0],
      ['unreadchange', 0],
    ]);
    assert.equal(await page.getByRole('link', { name: "What's new", exact: true }).count(), 2);
    await page.keyboard.press('Escape');
    await until(page, `events.at(-1)[0] === 'close'`);
    await page.getByRole('link').first().click();
    await page.evaluate(`document.querySelector('whats-new').close()`);
    assert.deepEqual(asked.slice(2), [OPENED], 'opened again from what it has');

    await stage.publish(version('2.2.0'));
    await comeBack(page, 16);
    await until(page, unreadIs(1));
    await stage.publish(version('2.2.0', { status: 'draft' }));
    await comeBack(page, 16);
    await until(page, unreadIs(0));
    await until(tab, unreadIs(0));
    assert.deepEqual(incidents, { console: [], errors: [], dialogs: [], outside: [] });
    await page.context().close();
  });

  it('a hidden page does not ask until it is shown, and a refused storage is replaced by memory', async () => {
    const init = `${NOTE_EVENTS}
      window.isHidden = true;
      Object.defineProperty(Document.prototype, 'hidden', { get: () => isHidden });
      Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', 'SecurityError'); } });`;
    const two = stage.element() + stage.element('mode="inline"');
    const { page, asked, incidents } = await stage.open(document(two), { init });
    await until(page, `customElements.get('whats-new')`);
    await page.evaluate(`dispatchEvent(new Event('focus'))`);
    assert.deepEqual(asked, []);
    await page.evaluate(
      `isHidden = false; document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`,
    );
    await until(page, `document.querySelector('whats-new').seen.length > 1`);
    assert.equal(asked.filter((url) => url === LIST).length, 1);
    assert.equal(await page.evaluate(unreadIs(0)), true);
    await page.evaluate(`document.querySelector('[mode=inline]').remove()`);
    await stage.publish(version('2.3.0'));
    await comeBack(page, 16);
    await until(page, unreadIs(1));
    await page.getByRole('link').click();
    await until(page, unreadIs(0));
    assert.deepEqual(incidents, { console: [], errors: [], dialogs: [], outside: [] });
    await page.context().close();
  });

  it('the host may name the version that runs, a limit, what was seen elsewhere, and badge a first visit', async () => {
    await stage.publish(
      version('3.0.0-rc.1', { publishedAt: '2041-01-01' }),
      version('3.0.0', { publishedAt: '2042-01-01' }),
    );
    const { page, asked } = await stage.open(document(''));
    await until(page, `customElements.get('whats-new')`);
    /** Mounts one in a new browser; `seen` is what the storage has then. */
    const visit = (attributes: string, seen?: unknown) =>
      page.evaluate(`(async () => {
        localStorage.clear();
        const seen = ${JSON.stringify(seen ?? null)};
        if (seen) localStorage['whats-new:${stage.api}/acme/rocket'] = JSON.stringify(seen);
        const parsed = new DOMParser().parseFromString(${JSON.stringify(stage.element(attributes))}, 'text/html');
        document.querySelector('whats-new')?.remove();
        const element = document.adoptNode(parsed.querySelector('whats-new'));
        const ids = new Promise((resolve) => element.addEventListener('unreadchange', (event) => resolve(event.detail.ids)));
        document.body.append(element);
        while (!Object.keys(localStorage).some((key) => key.endsWith('?'))) await new Promise((next) => setTimeout(next, 5));
        return element.unread ? ids : [];
      })()`);
    assert.deepEqual(await visit('first'), ['ver_300']);
    assert.deepEqual(await visit('first to="2.1.0"'), ['ver_210']);
    assert.deepEqual(await visit('version="1.0.0"'), [], 'a first visit');
    assert.deepEqual(await visit('', ['ver_200', 'ver_100']), [
      'ver_300',
      'ver_300-rc1',
      'ver_230',
      'ver_210',
    ]);
    assert.deepEqual(await visit('version="2.1"', ['ver_100']), ['ver_300', 'ver_300-rc1', 'ver_230']);
    assert.deepEqual(await visit('version="v3.0.0-rc.1"', ['ver_100']), ['ver_300']);
    assert.deepEqual(await visit('version="3.0.0"', ['ver_100']), []);
    assert.deepEqual(await visit('to="2.3.0" version="2.0.0"', ['ver_100']), ['ver_230', 'ver_210']);
    assert.deepEqual(await visit('version="nightly"', ['ver_230']), ['ver_300', 'ver_300-rc1']);
    assert.deepEqual(
      await visit('seen="ver_300-rc1 ver_230 ver_210"'),
      ['ver_300'],
      'seen on another device',
    );
    assert.deepEqual(await visit('seen="ver_300"', ['ver_230']), ['ver_300-rc1']);
    assert.deepEqual(await visit('first', { something: 'else' }), ['ver_300'], 'not what the widget wrote');
    // Ten are listed. When the newest is withdrawn, an older one moves up, which is not news.
    assert.deepEqual(await visit('', ['ver_230']), ['ver_300', 'ver_300-rc1']);

    assert.equal(
      await page.evaluate(
        `document.querySelector('whats-new').seen = new Set(['ver_300', 'ver_300-rc1']); 0`,
      ),
      0,
    );
    await until(page, unreadIs(0));

    // Changes since a version say nothing about the versions before it: the first list is still a first visit.
    assert.deepEqual(await visit('mode="inline" version="3.0.0"'), []);
    await page.evaluate(`Object.assign(document.querySelector('whats-new'), { mode: '', version: '' })`);
    await comeBack(page, 16);
    await until(page, `JSON.parse(localStorage['whats-new:${stage.api}/acme/rocket?']).list`);
    assert.equal(await page.evaluate(unreadIs(0)), true);

    asked.length = 0;
    await page.evaluate(
      `Object.assign(document.querySelector('whats-new'), { version: '2.0.0', to: '2.3.0' })`,
    );
    await page.evaluate(`document.querySelector('whats-new').open()`);
    await page.getByText('Since 2.0.0').waitFor();
    assert.deepEqual(asked, [`${FEED}/changes?from=2.0.0&to=2.3.0`]);
    assert.deepEqual(await page.locator('[part=version] :is(h4, [part=change])').allInnerTexts(), [
      '2.3.0',
      'Something for 2.3.0.',
      '2.1.0',
      'Something for 2.1.0.',
    ]);
    assert.equal(
      await page.locator('[part=more]').getAttribute('href'),
      `${stage.api}/changelog/acme/rocket/changes?from=2.0.0&to=2.3.0`,
    );
    await page.evaluate(`document.querySelector('whats-new').version = '2.3.0'`);
    await page.getByText('Nothing new.').waitFor();

    // A response that comes after that of a later version is not shown.
    const later = Promise.withResolvers<void>();
    await page.route('**/changes?from=1.0.0*', async (route) => {
      await later.promise;
      await route.continue();
    });
    const late = page.waitForResponse(/from=1\.0\.0/);
    await page.evaluate(`(async () => {
      const element = document.querySelector('whats-new');
      element.version = '1.0.0';
      await null;
      element.version = '2.1.0';
    })()`);
    await page.getByText('Since 2.1.0').waitFor();
    later.resolve();
    await (await late).finished();
    await until(page, `localStorage['whats-new:${stage.api}/acme/rocket?'].includes('1.0.0')`);
    assert.equal(await page.locator('[part=status]').textContent(), 'Since 2.1.0');
    await page.context().close();
  });

  it('after a 429 it waits as long as it was told to, and says so only where it was opened', async () => {
    const { address } = await listenApp(stage.scope, stage.sandbox, { PUBLIC_RATE_LIMIT: '1' });
    const html = document(stage.element().replaceAll(stage.api, address));
    const opened = await stage.browser.open({ origin: [address, stage.host] });
    const { page, incidents } = opened;
    const asked = watchRequests(page, address);
    await page.goto(stage.serve(html));
    await until(page, VISITED);
    await page.getByRole('link').click();
    await page.getByText('Could not be loaded.').waitFor();
    assert.deepEqual(asked, [LIST, OPENED]);
    await page.keyboard.press('Escape');
    await page.getByRole('link').click();
    await page.keyboard.press('Escape');
    const waitSeconds: number = await page.evaluate(`(() => {
      const { at, waitUntil } = JSON.parse(localStorage['whats-new:${address}/acme/rocket?']);
      return (waitUntil - at) / 1000;
    })()`);
    assert.ok(waitSeconds > 30 && waitSeconds <= 60, `${waitSeconds} s`);
    assert.deepEqual(asked, [LIST, OPENED]);
    assert.deepEqual(incidents.errors, []);
    assert.deepEqual(
      incidents.console.filter((line) => !line.includes('429')),
      [],
    );
    await page.context().close();
  });

  it('with the gate on it says once that it cannot read from another origin, and on the same one it works', async () => {
    const { address } = await listenApp(stage.scope, stage.sandbox, {
      PASSWORD_PROTECTION: 'true',
      PASSWORD_PROTECTION_USERNAME: 'site',
      PASSWORD_PROTECTION_PASSWORD: 'secret',
    });
    const elements = (stage.element() + stage.element().replace('rocket', 'other')).replaceAll(
      stage.api,
      address,
    );
    const elsewhere = await stage.browser.open({ origin: [address, stage.host] });
    await elsewhere.page.goto(stage.serve(document(elements)));
    await until(elsewhere.page, `Object.keys(localStorage).length === 2`);
    assert.deepEqual(
      elsewhere.incidents.console.filter((line) => line.startsWith('whats-new')),
      [`whats-new: ${address}${FEED}?limit=10 cannot be read: PASSWORD_PROTECTION, or no CORS.`],
    );
    await elsewhere.page.context().close();

    const httpCredentials = { username: 'site', password: 'secret' };
    const inside = await stage.browser.open({ origin: address, httpCredentials });
    await inside.page.route('**/page', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: document(elements.replaceAll(/ base-url="[^"]*"/g, '')),
      }),
    );
    await inside.page.goto(`${address}/page`);
    await until(inside.page, VISITED);
    assert.deepEqual(
      inside.incidents.console.filter((line) => line.startsWith('whats-new')),
      [],
    );
    await inside.page.context().close();
  });

  it('1,000 mounts and unmounts leave no listener, node or element, and take one request', async () => {
    const { page, asked } = await stage.open(document(stage.element()));
    await until(page, VISITED);
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable');
    const measure = async () => {
      await session.send('HeapProfiler.collectGarbage');
      const { metrics } = await session.send('Performance.getMetrics');
      const { result } = await session.send('Runtime.evaluate', {
        expression: `customElements.get('whats-new').prototype`,
      });
      const { objects } = await session.send('Runtime.queryObjects', {
        prototypeObjectId: result.objectId ?? '',
      });
      const { result: length } = await session.send('Runtime.callFunctionOn', {
        objectId: objects.objectId ?? '',
        functionDeclaration: 'function () { return this.length; }',
      });
      await session.send('Runtime.releaseObject', { objectId: objects.objectId ?? '' });
      const of = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
      return { listeners: of('JSEventListeners'), nodes: of('Nodes'), elements: length.value };
    };
    const mount = (times: number) =>
      page.evaluate(`(async () => {
        const kept = document.querySelector('whats-new');
        for (let count = 0; count < ${times}; count += 1) {
          const element = kept.cloneNode(true);
          element.mode = ['popover', 'modal', 'inline'][count % 3];
          document.body.append(element);
          await null;
          if (count % 100 === 0) element.open();
          element.remove();
        }
        // Observers report with a frame.
        for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
      })()`);
    await mount(100);
    const before = await measure();
    await mount(1000);
    const after = await measure();
    assert.equal(after.elements, 1);
    assert.ok(after.listeners <= before.listeners, JSON.stringify({ before, after }));
    assert.ok(after.nodes <= before.nodes, JSON.stringify({ before, after }));
    assert.deepEqual(
      asked.filter((url) => url === LIST),
      [LIST],
    );
    await page.context().close();
  });
});
