// How much code a page takes: whoever follows a request reads these files.
import assert from 'node:assert/strict';
import { Session } from 'node:inspector/promises';
import { it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../../../src/root.ts';
import { CHANGES_PAGE, PRODUCT_PAGE } from '../../../support/content/pages.ts';
import { suiteWithWorld } from '../../support/suite.ts';

const FILES_MAX = 60;

const suite = suiteWithWorld({ BASE_URL: 'https://changes.example.com' });

it(`the page of a product that is not in the cache takes at most ${FILES_MAX} files`, async () => {
  assert.equal((await suite.app.inject(CHANGES_PAGE)).statusCode, 200);
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await session.post('Profiler.takePreciseCoverage');
  const { statusCode } = await suite.app.inject(PRODUCT_PAGE);
  const { result } = await session.post('Profiler.takePreciseCoverage');
  session.disconnect();
  assert.equal(statusCode, 200);
  const source = `${pathToFileURL(ROOT)}/src/`;
  const called = result.filter(
    ({ url, functions }) =>
      url.startsWith(source) && functions.some(({ ranges }) => ranges.some(({ count }) => count > 0)),
  );
  const files = called.map(({ url }) => url.slice(source.length)).sort();
  assert.ok(files.length <= FILES_MAX, `${files.length} files:\n${files.join('\n')}`);
});
