// The full run: every check in every browser; a line for each. With a folder as its argument, it saves screenshots there.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { openScope } from '../../cluster/scope.ts';
import { PRODUCT, startDemo } from '../pages/site.ts';
import { BROWSERS, CHECKS_BY_SCHEME, FULL } from './checks.ts';
import { type Host, startHost } from './host.ts';
import { openWidget } from './widget.ts';
import type { ColorScheme, StartBrowser, Window } from './window.ts';

const [folder] = process.argv.slice(2);
const VIEWPORTS = [
  [360, 740],
  [1280, 720],
] as const;

const scope = openScope();
try {
  const host = await startHost(scope, await startDemo(scope));
  for (const [name, start] of Object.entries(BROWSERS))
    for (const colorScheme of ['light', 'dark'] as const) await prove(host, name, start, colorScheme);
} finally {
  await scope.close();
}
// Exit before the test runner prints a summary of zero tests.
process.exit();

async function prove(host: Host, name: string, start: StartBrowser, colorScheme: ColorScheme): Promise<void> {
  const within = openScope();
  try {
    const window = await start(within, colorScheme, [host.origin, host.service]);
    for (const [promise, check] of Object.entries(CHECKS_BY_SCHEME[colorScheme])) {
      const { figure, problems } = await check(window, host, FULL);
      console.log(
        `${problems.length === 0 ? 'holds ' : 'FAILED'}  ${name} ${window.version}: ${promise}: ${figure}`,
      );
      for (const problem of problems) console.log(`        ${problem}`);
      if (problems.length > 0) process.exitCode = 1;
    }
    if (folder !== undefined)
      await saveScreenshots(window, host, path.join(folder, `${name}-${colorScheme}`));
  } finally {
    await within.close();
  }
}

async function saveScreenshots(window: Window, host: Host, prefix: string): Promise<void> {
  mkdirSync(path.dirname(prefix), { recursive: true });
  for (const [width, height] of VIEWPORTS) {
    await window.resize(width, height);
    await openWidget(window, host);
    writeFileSync(`${prefix}-widget-${width}.png`, await window.screenshot());
    await window.open(host.origin + PRODUCT);
    writeFileSync(`${prefix}-page-${width}.png`, await window.screenshot());
  }
}
