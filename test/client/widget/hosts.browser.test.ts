// The widget as docs/widget.md embeds it: in plain HTML, React 19 and Vue 3, on a site of another origin.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { compileScript, parse } from 'vue/compiler-sfc';
import { CHANGE_TYPES } from '../../../src/domain/model.ts';
import type { Browser, OpenedPage } from '../../../support/browser/chromium.ts';
import { PUBLIC_FEED } from '../../../support/content/world.ts';
import { temporaryFolder } from '../../../support/processes/scope.ts';
import { listenApp } from '../../../support/program/app.ts';
import { sharedChromium } from '../../support/browser.ts';
import { codeBlock, codeBlocks, tableUnder } from '../../support/markdown.ts';
import { suiteWithWorld } from '../../support/suite.ts';
import { startStandIn } from '../stand-in.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const TSC = path.join(ROOT, 'node_modules/typescript/bin/tsc');
const WIDGET = path.join(ROOT, 'client/widget.js');
const DOCUMENT = readFileSync(path.join(ROOT, 'docs/widget.md'), 'utf8');
const DOCUMENTED_URL = 'https://changes.example.com';
const [NEWS = '', HYDRATED_NEWS = ''] = codeBlocks(DOCUMENT)
  .filter(({ language }) => language === 'tsx')
  .map(({ text }) => text);
const COMPONENTS = { 'News.tsx': NEWS, 'HydratedNews.tsx': HYDRATED_NEWS };
const QUIET = { console: [], errors: [], dialogs: [], outside: [] };
const run = promisify(execFile);

/** What a test does with both frameworks: another version, and no widget. */
const REACT_HOST = `
import { StrictMode, useState } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { HydratedNews } from './HydratedNews';
import { News } from './News';

export function Host({ isHydrated }) {
  const Component = isHydrated ? HydratedNews : News;
  const [version, setVersion] = useState('0.1.0');
  const [isShown, setIsShown] = useState(true);
  return (
    <StrictMode>
      <button id="update" onClick={() => setVersion('1.0.0')}>Update</button>
      <button id="remove" onClick={() => setIsShown(false)}>Remove</button>
      {isShown && <Component version={version} />}
    </StrictMode>
  );
}
const place = globalThis.document?.querySelector('#app');
if (place?.hasChildNodes()) hydrateRoot(place, <Host isHydrated />);
else if (place) createRoot(place).render(<Host />);
`;

const REACT_SERVER = `
import { renderToString } from 'react-dom/server';
import { Host } from './react.tsx';
export const plain = renderToString(<Host />);
export const hydrated = renderToString(<Host isHydrated />);
`;

const VUE_HOST = `
import { createApp, h, ref } from 'vue';
import News from './News.js';

const version = ref('0.1.0');
const isShown = ref(true);
createApp(() => [
  h('button', { id: 'update', onClick: () => { version.value = '1.0.0'; } }, 'Update'),
  h('button', { id: 'remove', onClick: () => { isShown.value = false; } }, 'Remove'),
  isShown.value && h(News, { version: version.value }),
]).mount('#app');
`;

const PLAIN_POLICY = (origin: string) =>
  `default-src 'none'; script-src ${origin}; connect-src ${origin}; require-trusted-types-for 'script'; trusted-types 'none'`;

describe('hosts of the widget', () => {
  const suite = suiteWithWorld();
  const folder = temporaryFolder(suite.scope);
  const files: Record<string, Readonly<{ headers: Record<string, string>; body: string }>> = {};
  let browser: Browser;
  let service: string;
  let host: string;
  let react: string;

  before(async () => {
    browser = await sharedChromium();
    service = (await listenApp(suite.scope, suite.sandbox)).address;
    host = (await startStandIn(suite.scope, ({ url }) => files[url] ?? { status: 404 })).address;
    for (const [name, text] of Object.entries({
      ...COMPONENTS,
      'react.tsx': REACT_HOST,
      'server.tsx': REACT_SERVER,
    }))
      writeFileSync(path.join(folder, name), asHere(text));
    react = await bundle('react.tsx');
  });

  /** As documented, but with the URL of this service, and with the newest version unread on a first visit. */
  const asHere = (text: string) =>
    text.replaceAll(DOCUMENTED_URL, service).replaceAll(/<whats-new\b/g, '<whats-new first');

  async function bundle(name: string, options: Parameters<typeof build>[0] = {}): Promise<string> {
    const { outputFiles } = await build({
      entryPoints: [path.join(folder, name)],
      bundle: true,
      format: 'esm',
      jsx: 'automatic',
      alias: { 'changelog-read-client/widget': WIDGET },
      nodePaths: [path.join(ROOT, 'node_modules')],
      define: {
        __VUE_OPTIONS_API__: 'false',
        __VUE_PROD_DEVTOOLS__: 'false',
        __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'true',
      },
      write: false,
      ...options,
    });
    return outputFiles?.[0]?.text ?? '';
  }

  async function open(body: string, script = '', headers: Record<string, string> = {}): Promise<OpenedPage> {
    const html = `<!doctype html><html lang="en"><title>Host</title>${body}${script && '<script type="module" src="/script.js"></script>'}</html>`;
    files['/'] = { headers: { 'content-type': 'text/html', ...headers }, body: html };
    files['/script.js'] = { headers: { 'content-type': 'text/javascript' }, body: script };
    files['/favicon.ico'] = { headers: {}, body: '' };
    const opened = await browser.open({ origin: host });
    await opened.page.route(`${service}/**`, (route) => route.continue());
    await opened.page.goto(host);
    return opened;
  }

  /** Renders, hears the event, follows its state, and leaves nothing. */
  async function assertWorks({ page, incidents }: OpenedPage): Promise<void> {
    await page.locator('.has-news').getByRole('link', { name: "What's new, 1 unread" }).waitFor();
    assert.equal(await page.evaluate(`document.querySelector('whats-new').unread`), 1);
    // It knows what is unread before a framework has rendered the rest.
    await page.reload();
    await page.locator('.has-news').getByRole('link', { name: "What's new, 1 unread" }).waitFor();
    await page.locator('#update').click();
    await page.locator('whats-new[version="1.0.0"]').waitFor();
    await page.locator('whats-new a').click();
    await page.getByText('A countdown').waitFor();
    await page.locator('body:not(:has(.has-news))').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('#remove').click();
    await page.locator('body:not(:has(whats-new))').waitFor();
    assert.deepEqual(incidents, QUIET);
  }

  it('plain HTML: the widget works as documented, from another origin on a strict and isolated page', async () => {
    const { page, incidents } = await open(asHere(codeBlock(DOCUMENT, 'html')), '', {
      'content-security-policy': PLAIN_POLICY(service),
      'cross-origin-embedder-policy': 'require-corp',
    });
    await page.getByRole('link', { name: "What's new, 1 unread" }).click();
    await page.getByText('A countdown').waitFor();
    assert.equal(await page.evaluate(`document.querySelector('whats-new').unread`), 0);
    await page.evaluate(`document.querySelector('whats-new').version = null`);
    await page.locator('[part~=yanked]').first().waitFor();
    const parts: string[] = await page.evaluate(
      `[...document.querySelector('whats-new').shadowRoot.querySelectorAll('[part]')].flatMap(({ part }) => [...part])`,
    );
    // No version here has a picture.
    assert.deepEqual(namesUnder('Part'), [...new Set([...parts, ...CHANGE_TYPES, 'image'])].sort());
    assert.deepEqual(incidents, QUIET);
  });

  it('behind a proxy that adds a path, the widget reads below that path', async () => {
    const { page, incidents } = await browser.open({ origin: host });
    const asked: string[] = [];
    await page.route(`${host}/notes/**`, async (route) => {
      const { pathname, search } = new URL(route.request().url());
      asked.push(pathname);
      await route.fulfill({
        response: await route.fetch({ url: service + pathname.slice('/notes'.length) + search }),
      });
    });
    files['/app/'] = {
      headers: { 'content-type': 'text/html' },
      body: `<!doctype html><title>Host</title>${asHere(codeBlock(DOCUMENT, 'html')).replaceAll(service, '/notes')}`,
    };
    await page.goto(`${host}/app/`);
    await page.getByRole('link', { name: "What's new, 1 unread" }).click();
    await page.getByText('A countdown').waitFor();
    assert.equal(
      await page.getByRole('link', { name: 'See all changes' }).getAttribute('href'),
      `${host}/notes/changelog/acme/rocket/changes?from=2.0.0`,
    );
    assert.deepEqual(
      new Set(asked),
      new Set(['/notes/widget.js', `/notes${PUBLIC_FEED}`, `/notes${PUBLIC_FEED}/changes`]),
    );
    assert.deepEqual(incidents, QUIET);
  });

  it('React 19: the component of the document works, in strict mode', async () => {
    await assertWorks(await open('<div id="app"></div>', react));
  });

  it('React 19: a server renders the link, and a browser hydrates it without a mismatch', async () => {
    const file = path.join(folder, 'server.mjs');
    const banner = {
      js: `import { createRequire } from 'node:module'; const require = createRequire('${ROOT}/');`,
    };
    writeFileSync(file, await bundle('server.tsx', { platform: 'node', banner }));
    const { plain, hydrated } = await import(pathToFileURL(file).href);
    const link = `<a href="${service}/changelog/acme/rocket">What&#x27;s new</a>`;
    assert.ok(plain.includes(`${link}</whats-new>`), plain);
    assert.ok(hydrated.includes(link) && !hydrated.includes('whats-new'), hydrated);
    await assertWorks(await open(`<div id="app">${hydrated}</div>`, react));
  });

  it('Vue 3: the component of the document works', async () => {
    const isCustomElement = (tag: string) => tag === 'whats-new';
    const { descriptor } = parse(asHere(codeBlock(DOCUMENT, 'vue')), {
      templateParseOptions: { isCustomElement },
    });
    const { content } = compileScript(descriptor, { id: 'news', inlineTemplate: true });
    writeFileSync(path.join(folder, 'News.js'), content);
    writeFileSync(path.join(folder, 'vue.js'), VUE_HOST);
    await assertWorks(await open('<div id="app"></div>', await bundle('vue.js')));
  });

  it('on a server, importing the widget does nothing', async () => {
    const code = `
      const before = Object.getOwnPropertyNames(globalThis).length;
      const { WhatsNew, define } = await import(${JSON.stringify(pathToFileURL(WIDGET).href)});
      define();
      console.log(typeof WhatsNew, Object.getOwnPropertyNames(globalThis).length - before);`;
    const { stdout, stderr } = await run('node', ['--input-type=module', '--eval', code]);
    assert.deepEqual([stdout, stderr], ['function 0\n', '']);
  });

  it('docs/widget.md lists every attribute, property, method, event and custom property', async () => {
    const { WhatsNew } = await import(pathToFileURL(WIDGET).href);
    const members = Object.entries(Object.getOwnPropertyDescriptors(WhatsNew.prototype));
    const methods = members.filter(([, { value }]) => typeof value === 'function').map(([name]) => name);
    const types = readFileSync(path.join(ROOT, 'client/widget.d.ts'), 'utf8');
    const fieldsOf = (name: string) => {
      const [, body = ''] = new RegExp(`interface ${name} \\{(.*?)^\\}`, 'ms').exec(types) ?? [];
      return [...body.matchAll(/^ {2}(\w+)\??:/gm)].map(([, field = '']) => field);
    };
    const style = readFileSync(path.join(ROOT, 'client/widget/style.js'), 'utf8');
    assert.deepEqual(namesUnder('Attribute'), WhatsNew.observedAttributes.toSorted());
    assert.deepEqual(
      namesUnder('Property'),
      members.flatMap(([name, { get }]) => (get ? [name] : [])).sort(),
    );
    assert.deepEqual(
      namesUnder('Method'),
      methods.filter((name) => !/Callback$|^constructor$/.test(name)).sort(),
    );
    assert.deepEqual(namesUnder('Event'), fieldsOf('WhatsNewEventMap').sort());
    assert.deepEqual(namesUnder('Custom property'), [...new Set(style.match(/--whats-new-[a-z-]+/g))].sort());
    const [, texts = ''] = tableUnder(DOCUMENT, 'Attribute').find(([name]) => name === '`texts`') ?? [];
    for (const text of fieldsOf('WhatsNewTexts'))
      assert.ok(texts.includes(`\`${text}\``) || (CHANGE_TYPES as readonly string[]).includes(text), text);
  });

  for (const [what, withReact] of [
    ['with the types of React, in JSX too', true],
    ['without the types of React', false],
  ] as const)
    it(`TypeScript knows the element ${what}`, async (t) => {
      const project = temporaryFolder(t);
      const installed = path.join(project, 'node_modules/changelog-read-client');
      mkdirSync(installed, { recursive: true });
      copyFileSync(path.join(ROOT, 'client/widget.d.ts'), path.join(installed, 'widget.d.ts'));
      const exports = { './widget': { types: './widget.d.ts' } };
      writeFileSync(path.join(installed, 'package.json'), JSON.stringify({ type: 'module', exports }));
      writeFileSync(path.join(project, 'page.ts'), TYPED_PAGE);
      if (withReact) {
        mkdirSync(path.join(project, 'node_modules/@types'));
        symlinkSync(
          path.join(ROOT, 'node_modules/@types/react'),
          path.join(project, 'node_modules/@types/react'),
        );
        for (const [name, text] of Object.entries({ ...COMPONENTS, 'Wrong.tsx': WRONG_JSX }))
          writeFileSync(path.join(project, name), text);
      }
      const flags =
        '--noEmit --strict --module esnext --moduleResolution bundler --target es2022 --jsx react-jsx';
      const sources = withReact ? ['page.ts', 'HydratedNews.tsx', 'Wrong.tsx'] : ['page.ts'];
      const args = [
        ...flags.split(' '),
        '--lib',
        'es2022,dom',
        '--types',
        '',
        '--skipLibCheck',
        'false',
        ...sources,
      ];
      await run(process.execPath, [TSC, ...args], { cwd: project }).catch(({ stdout }) =>
        assert.fail(stdout),
      );
    });
});

/** The names in the first column of a table of the document, sorted. */
function namesUnder(column: string): string[] {
  const cells = tableUnder(DOCUMENT, column).map(([cell = '']) => cell);
  return cells
    .flatMap((cell) => [...cell.matchAll(/`([^`(]+)(?:\(\))?`/g)].map(([, name = '']) => name))
    .sort();
}

const TYPED_PAGE = `
import { define, type WhatsNew } from 'changelog-read-client/widget';
const element: WhatsNew | null = document.querySelector('whats-new');
element?.addEventListener('unreadchange', ({ detail: { count, ids } }) => [count.toFixed(), ids.join()]);
if (element) element.seen = ['ver_1'];
if (element) element.static = true;
export const unread: number | undefined = element?.unread;
element?.open();
element?.close();
define('my-news');
// @ts-expect-error: read-only.
if (element) element.unread = 3;
`;

const WRONG_JSX = `
import 'changelog-read-client/widget';
// @ts-expect-error: no such form.
export const wrong = <whats-new team="acme" product="rocket" mode="sideways" />;
`;
