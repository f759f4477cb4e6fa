// `docs/page-light.png` and `docs/page-dark.png`: the demo in Chromium, for the README. `docs/page.sha256` is the digest of
// the HTML that they show, so that a test can tell when they are out of date. `docs/widget-light.png` and
// `docs/widget-dark.png` show the widget for docs/widget.md.
import { hash } from 'node:crypto';
import path from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { ensureServers, serverProgram } from '../cluster/debian.ts';
import { startNode } from '../cluster/nodes.ts';
import { openScope } from '../cluster/scope.ts';

const DOCS = path.resolve(import.meta.dirname, '../docs');
const PAGE = '/changelog/acme/rocket';
const SCHEMES = ['light', 'dark'] as const;
const VIEWPORT = { width: 1280, height: 860 };
const CLOSED_VIEWPORT = { width: 720, height: 72 };
const OPEN_VIEWPORT = { width: 720, height: 440 };
const DEVICE_SCALE = 1.5;

export async function pageDigest(): Promise<string> {
  return await withDemo(async (origin) => {
    const response = await fetch(origin + PAGE);
    if (response.status !== 200) throw new Error(`${PAGE} returned ${response.status}`);
    return `${hash('sha256', withoutRandom(await response.text(), origin))}\n`;
  });
}

/** Ids are random, and the port is any free one. */
function withoutRandom(html: string, origin: string): string {
  return html.replaceAll(origin, '').replaceAll(/\b(cl|ver|chg)_[0-9a-f]{32}/g, '$1_…');
}

export async function drawScreenshots(): Promise<void> {
  await ensureServers(['chromium']);
  await withDemo(async (origin) => {
    const browser = await chromium.launch({
      executablePath: serverProgram('chromium'),
      // The sandbox does not start as root.
      args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    });
    try {
      for (const colorScheme of SCHEMES) {
        const page = await browser.newPage({
          colorScheme,
          viewport: VIEWPORT,
          deviceScaleFactor: DEVICE_SCALE,
          reducedMotion: 'reduce',
        });
        await page.goto(origin + PAGE);
        await draw(page, `page-${colorScheme}.png`);
        await page.setContent(await widgetPictures(page, origin));
        await draw(page, `widget-${colorScheme}.png`);
      }
    } finally {
      await browser.close();
    }
  });
}

/** A product with the widget, above the same with the widget opened. */
async function widgetPictures(page: Page, origin: string): Promise<string> {
  const shoot = async () =>
    `<img alt="" src="data:image/png;base64,${(await page.screenshot()).toString('base64')}">`;
  await page.route(`${origin}/product`, (route) =>
    route.fulfill({ contentType: 'text/html', body: PRODUCT }),
  );
  await page.setViewportSize(CLOSED_VIEWPORT);
  await page.goto(`${origin}/product`);
  await page.getByRole('link', { name: '1 unread' }).waitFor();
  const closed = await shoot();
  await page.setViewportSize(OPEN_VIEWPORT);
  await page.locator('whats-new a').click();
  await page.getByText('Faster launches').waitFor();
  const opened = await shoot();
  await page.setViewportSize({
    width: OPEN_VIEWPORT.width,
    height: CLOSED_VIEWPORT.height + OPEN_VIEWPORT.height + 16,
  });
  return `<style>:root { color-scheme: light dark } body { margin: 0 } img { display: block; width: 100%; margin-bottom: 16px; outline: 1px solid #8886; outline-offset: -1px; border-radius: 12px }</style>${closed}${opened}`;
}

/** A page of somebody's product. */
const PRODUCT = `<!doctype html><title>Rocket</title>
<style>
  :root { color-scheme: light dark }
  body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; background: light-dark(#f6f8fa, #0e1116) }
  header { display: flex; gap: 1.5rem; align-items: center; height: 72px; padding: 0 2rem; background: light-dark(#fff, #171b22) }
  whats-new { margin-inline-start: auto }
  a { color: inherit; text-decoration: none }
</style>
<header>
  <strong>Rocket</strong> <span>Launches</span> <span>Targets</span> <span>Team</span>
  <whats-new team="acme" product="rocket" first><a href="changelog/acme/rocket">What's new</a></whats-new>
</header>
<script type="module" src="/widget.js"></script>`;

async function draw(page: Page, file: string): Promise<void> {
  await page.screenshot({ path: path.join(DOCS, file) });
  console.log(`wrote docs/${file}`);
}

async function withDemo<T>(use: (origin: string) => Promise<T>): Promise<T> {
  const scope = openScope();
  try {
    const { address } = await startNode(scope, { command: 'demo', environment: { LOG_LEVEL: 'silent' } });
    return await use(address);
  } finally {
    await scope.close();
  }
}
