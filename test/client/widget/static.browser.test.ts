// The widget on a static site: from other origins, and on pages of the site itself.
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { findAccessibilityProblems } from '../../../support/browser/accessibility.ts';
import type { OpenedPage } from '../../../support/browser/chromium.ts';
import { runOk } from '../../../support/program/command.ts';
import { codeBlock, section } from '../../support/markdown.ts';
import { type StaticHost, startHost } from '../static-hosts.ts';
import { document, setStage, version, watchRequests } from './stage.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const GUIDE = section(readFileSync(path.join(ROOT, 'docs/widget.md'), 'utf8'), '## On a static site');
const DOCUMENTED_URL = 'https://acme.github.io/rocket';
const NUMBERS = Array.from({ length: 22 }, (_, index) => `1.${index}.0`);
const QUIET = { console: [], errors: [], dialogs: [], outside: [] };

describe('<whats-new> on a static site', () => {
  const stage = setStage(
    NUMBERS.map((number, index) =>
      version(number, { publishedAt: new Date(Date.UTC(2026, 0, 1 + index)).toISOString() }),
    ),
  );
  let nginx: StaticHost;
  let python: StaticHost;
  const titles = (page: Page) => page.locator('[part=title]').allTextContents();
  const policyOf = (origin: string) => ({
    'content-security-policy': `default-src 'none'; script-src ${origin}; connect-src ${origin}; require-trusted-types-for 'script'; trusted-types 'none'`,
  });
  /** As documented, but at this URL, and with the newest version unread on a first visit. */
  const asHere = (html: string, url: string) =>
    `<!doctype html><html lang="en"><title>Host</title><main><h1>Host</h1>${html}</main></html>`
      .replaceAll(DOCUMENTED_URL, url)
      .replaceAll('<whats-new', '<whats-new first');

  /** A page of another origin. */
  async function open(html: string, site: string, headers = {}): Promise<OpenedPage & { asked: string[] }> {
    const opened = await stage.browser.open({ origin: [new URL(site).origin, stage.host] });
    const asked = watchRequests(opened.page, site);
    await opened.page.goto(stage.serve(html, headers));
    return { ...opened, asked };
  }

  before(async () => {
    [nginx, python] = await Promise.all([startHost(stage.scope, 'nginx'), startHost(stage.scope, 'python3')]);
    for (const { folder } of [nginx, python]) {
      mkdirSync(path.join(folder, 'app'));
      await runOk(stage.sandbox, ['build', '--product', 'acme/rocket', '--out', path.join(folder, 'rocket')]);
    }
  });

  it('works as documented, on a page of another origin with a strict policy', async () => {
    const site = `${nginx.address}/rocket`;
    const { page, incidents, asked } = await open(
      asHere(codeBlock(GUIDE, 'html'), site),
      site,
      policyOf(nginx.address),
    );
    await page.getByRole('link', { name: "What's new, 1 unread" }).click();
    await page.locator('[part=more]').waitFor();
    assert.deepEqual(
      await titles(page),
      NUMBERS.slice(2)
        .reverse()
        .map((number) => `Release ${number}`),
    );
    assert.equal(await page.locator('[part=more]').getAttribute('href'), `${site}/`);
    assert.equal(await page.locator('[part=badge]').isVisible(), false);
    assert.deepEqual(new Set(asked), new Set(['/widget.js', '/recent.json']));
    assert.deepEqual(await findAccessibilityProblems(page), []);
    assert.deepEqual(incidents, QUIET);

    // What was read is shown again without a request.
    asked.length = 0;
    await page.reload();
    await page.getByRole('link', { name: "What's new", exact: true }).click();
    await page.locator('[part=more]').waitFor();
    assert.deepEqual(asked, ['/widget.js']);
    await page.context().close();
  });

  it('the title of a version leads to its place on the page of the product', async () => {
    const site = `${nginx.address}/rocket`;
    const { page } = await open(asHere(codeBlock(GUIDE, 'html'), site), site);
    await page.getByRole('link', { name: /^What's new/ }).click();
    const href = await page.getByRole('link', { name: 'Release 1.7.0' }).getAttribute('href');
    assert.equal(href, `${site}/#ver_170`);
    await page.goto(href);
    assert.match(await page.locator(':target').innerText(), /^.*Release 1\.7\.0/s);
    await page.context().close();
  });

  it('finds its site by its own URL or by a relative one, on hosts that know nothing of other origins', async () => {
    for (const { address, folder } of [python, nginx])
      for (const [place, attributes, src] of [
        ['rocket', '', 'widget.js'],
        ['app', '', '../rocket/widget.js'],
        ['rocket', 'static base-url="./"', './widget.js'],
        ['app', 'base-url="../rocket"', '/rocket/widget.js'],
        ['app', 'base-url="/rocket/"', '/rocket/widget.js'],
      ]) {
        writeFileSync(
          path.join(folder, `${place}/page.html`),
          `<!doctype html><html lang="en"><title>Site</title><link rel="icon" href="data:,"><script type="module" src="${src}"></script><whats-new ${attributes}>News</whats-new></html>`,
        );
        const { page, incidents } = await stage.browser.open({ origin: address });
        await page.goto(`${address}/${place}/page.html`);
        await page.getByRole('button', { name: 'News' }).click();
        await page.locator('[part=more]').waitFor();
        assert.equal((await titles(page))[0], 'Release 1.21.0');
        assert.equal(await page.locator('[part=more]').getAttribute('href'), `${address}/rocket/`);
        assert.deepEqual(incidents, QUIET);
        await page.context().close();
      }
  });

  it('with a version it shows and counts those after it, up to another', async () => {
    const site = `${nginx.address}/rocket`;
    const element = (attributes: string) =>
      document(`<whats-new static base-url="${site}" ${attributes}>News</whats-new>`);
    for (const [attributes, expected] of [
      ['version="1.19.0"', ['1.21.0', '1.20.0']],
      ['version="1.18.0" to="1.20.0"', ['1.20.0', '1.19.0']],
      ['to="1.3.0"', ['1.3.0', '1.2.0']],
      ['version="1.21.0"', []],
      ['version="1.0.0"', NUMBERS.slice(2).reverse()],
    ] as const) {
      const { page, asked } = await open(element(`${attributes} seen="ver_120"`), site);
      await page.waitForFunction(`localStorage['whats-new:${site}']`);
      // The oldest one in the list was seen elsewhere.
      assert.equal(
        await page.evaluate(`document.querySelector('whats-new').unread`),
        expected.filter((number) => number !== '1.2.0').length,
        attributes,
      );
      await page.getByRole('button', { name: /^News/ }).click();
      await page.locator('[part=more]').waitFor();
      assert.deepEqual(
        await titles(page),
        expected.map((number) => `Release ${number}`),
        attributes,
      );
      assert.equal(await page.locator('[part=status]').textContent(), expected[0] ? '' : 'Nothing new.');
      assert.deepEqual([...new Set(asked)], ['/recent.json']);
      await page.context().close();
    }
  });

  it('a version that is added to the site is unread', async () => {
    const site = `${nginx.address}/grows`;
    const recent = path.join(nginx.folder, 'grows/recent.json');
    cpSync(path.join(nginx.folder, 'rocket'), path.join(nginx.folder, 'grows'), { recursive: true });
    const { page } = await open(document(`<whats-new static base-url="${site}">News</whats-new>`), site);
    await page.waitForFunction(`localStorage['whats-new:${site}']`);
    const body = JSON.parse(readFileSync(recent, 'utf8'));
    body.data.versions.unshift({ ...body.data.versions[0], id: 'ver_new', version: '2.0.0', title: 'Two' });
    writeFileSync(recent, JSON.stringify(body));
    await page.evaluate(`delete localStorage['whats-new:${site}?']`);
    await page.reload();
    await page.getByRole('button', { name: 'News, 1 unread' }).click();
    await page.getByText('Two', { exact: true }).waitFor();
    assert.equal(await page.evaluate(`document.querySelector('whats-new').unread`), 0);
    await page.context().close();
  });

  it('a folder without a site could not be loaded, and leads there all the same', async () => {
    const site = `${nginx.address}/nothing`;
    const { page, incidents, asked } = await open(
      document(`<whats-new static base-url="${site}">News</whats-new>`),
      site,
    );
    await page.getByRole('button', { name: 'News' }).click();
    await page.getByText('Could not be loaded.').waitFor();
    assert.equal(await page.locator('[part=more]').getAttribute('href'), `${site}/`);
    assert.equal(asked.length, 1);
    assert.deepEqual([incidents.errors, incidents.outside], [[], []]);
    await page.context().close();
  });

  it('says once if the host does not allow the origin of the page', async () => {
    const site = `${python.address}/rocket`;
    const { page, incidents } = await open(
      document(`<whats-new static base-url="${site}">News</whats-new>`),
      site,
    );
    await page.getByRole('button', { name: 'News' }).click();
    await page.getByText('Could not be loaded.').waitFor();
    assert.deepEqual(
      incidents.console.filter((line) => line.startsWith('whats-new')),
      [`whats-new: ${site}/recent.json cannot be read: PASSWORD_PROTECTION, or no CORS.`],
    );
    await page.context().close();
  });
});
