// `docs/page-light.png` and `docs/page-dark.png`: the demo in Chromium, for the README. `docs/page.sha256` is the digest of
// the HTML that they show, so that a test can tell when they are out of date.
import { hash } from 'node:crypto';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { ensureServers, serverProgram } from '../cluster/debian.ts';
import { startNode } from '../cluster/nodes.ts';
import { openScope } from '../cluster/scope.ts';

const DOCS = path.resolve(import.meta.dirname, '../docs');
const PAGE = '/changelog/acme/rocket';
const SCHEMES = ['light', 'dark'] as const;
const VIEWPORT = { width: 1280, height: 860 };
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
        });
        await page.goto(origin + PAGE);
        const file = `page-${colorScheme}.png`;
        await page.screenshot({ path: path.join(DOCS, file) });
        console.log(`wrote docs/${file}`);
      }
    } finally {
      await browser.close();
    }
  });
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
