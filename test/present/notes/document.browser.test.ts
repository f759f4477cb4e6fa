import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { before, describe, it } from 'node:test';
import {
  changeLook,
  findAccessibilityProblems,
  findKeyboardProblems,
  findOverflow,
  LOOKS,
} from '../../../support/browser/accessibility.ts';
import { watchTraffic } from '../../../support/browser/traffic.ts';
import { findInvalidHtml } from '../../../support/browser/validity.ts';
import { sharedScope, temporaryFolder } from '../../../support/processes/scope.ts';
import { listenApp } from '../../../support/program/app.ts';
import { apply } from '../../../support/program/command.ts';
import { sharedChromium } from '../../support/browser.ts';

const scope = sharedScope();
const BELOW = '/api/v1/public/teams/acme/products/rocket/changelog';
const TEXT = [
  '## Before you upgrade\n\n| a | b |\n|:--|--:|\n| 1 | 2 |\n\n```sh\nrocket launch --env production --and --many --other --options\n```',
  'An image: ![a rocket](https://images.example/a.png) and [![badge](https://images.example/b.svg)](https://a.example).',
  '<script>alert(1)</script><img src=x onerror=alert(2)> [x](javascript:alert(3)) > quote',
].join('\n\n');
let origin = '';

before(async () => {
  const sandbox = { folder: temporaryFolder(scope) };
  const version = (label: string) => ({
    version: label,
    title: 'Faster',
    status: 'published',
    publishedAt: '2026-05-04',
    description: TEXT,
    yanked: true,
    changes: [
      { type: 'removed', text: 'مرحبا بالعالم', breaking: true },
      { type: 'added', text: TEXT },
    ],
  });
  await apply(sandbox, {
    team: { slug: 'acme', name: 'Acme', visibility: 'public' },
    products: [
      {
        slug: 'rocket',
        name: 'Rocket',
        status: 'published',
        accent: '#e4572e',
        changelog: { status: 'published', language: 'de', versions: [version('2.0.0'), version('1.0.0')] },
      },
    ],
  });
  ({ address: origin } = await listenApp(scope, sandbox, { PUBLIC_RATE_LIMIT: '1000' }));
});

describe('documents with release notes', () => {
  for (const path of ['/versions/2.0.0/notes.html', '/changes.html']) {
    it(`${path} loads nothing, violates no policy, and is accessible, valid and narrow`, async () => {
      const { page, incidents } = await (await sharedChromium()).open({ origin });
      const traffic = await watchTraffic(page);
      await page.goto(origin + BELOW + path);
      assert.deepEqual(traffic.requests, [`GET ${origin}${BELOW}${path}`]);
      assert.deepEqual(await traffic.violations(), []);
      assert.equal(await traffic.scriptBytes(), 0);
      assert.deepEqual(incidents, { console: [], errors: [], dialogs: [], outside: [] });
      // The dialog that shows the notes has a heading; they have none above those of versions or sections.
      const html = (await (await fetch(origin + BELOW + path)).text()).replace(
        '<main>',
        '<main><h1>Update</h1>',
      );
      assert.deepEqual(await findInvalidHtml(html), []);
      await page.evaluate(
        `document.querySelector('main').prepend(Object.assign(document.createElement('h1'), { textContent: 'Update' }))`,
      );
      for (const look of LOOKS) {
        await changeLook(page, look);
        assert.deepEqual(await findAccessibilityProblems(page), []);
      }
      assert.deepEqual(await findOverflow(page), []);
      assert.deepEqual(await findKeyboardProblems(page), []);
    });
  }

  it('other sites may show them in a frame', async () => {
    const notes = `${origin}${BELOW}/versions/latest/notes.html`;
    const server = createServer((_, response) => {
      response.setHeader('content-type', 'text/html').end(`<iframe src="${notes}"></iframe>`);
    });
    scope.after(() => {
      server.close();
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { page, incidents } = await (await sharedChromium()).open({ origin: [origin, host] });
    await page.goto(host);
    assert.match(String(await page.frames()[1]?.evaluate('document.body.innerText')), /Entfernt/);
    assert.deepEqual(incidents.outside, []);
  });
});
