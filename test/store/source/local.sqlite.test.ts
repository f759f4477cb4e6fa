// R29 on the embedded database: when it checks for commits.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { CommitWatch } from '../../../src/store/engine/engine.ts';
import { openLocalSource } from '../../../src/store/source/local.ts';
import { sqlite } from '../../../src/store/sqlite/sqlite.ts';
import { databaseUrl } from '../../../support/databases/engine.ts';
import { temporaryFolder } from '../../../support/processes/scope.ts';
import { runOk, type Sandbox } from '../../../support/program/command.ts';

it('a local source checks for commits once for all requests of an event loop turn, and again in the next', async (t) => {
  const sandbox: Sandbox = { folder: temporaryFolder(t) };
  await runOk(sandbox, ['migrate']);
  const url = await databaseUrl(sandbox);
  const watch = sqlite.watch?.(url) as CommitWatch;
  let asked = 0;
  const commits = () => {
    asked++;
    return watch.commits();
  };
  const source = openLocalSource(
    () => ({ db: sqlite.openReader(url, {}), watch: { ...watch, commits } }),
    {},
  );
  t.after(source.close);
  let nowMs = 0;
  t.mock.method(performance, 'now', () => nowMs);

  assert.equal(await source.isConfirmed(), true);
  for (let request = 0; request < 5; request++) assert.equal(source.isConfirmed(), true);
  assert.equal(asked, 1);
  nowMs++;
  assert.equal(source.isConfirmed(), true);
  assert.equal(asked, 2, 'a turn may be long');
  await setImmediate();
  const touched: unknown[] = [];
  source.onTouched((touches) => touched.push(touches));
  await runOk(sandbox, ['apply', '-'], 'team: { slug: acme, name: Acme }');
  await setImmediate();
  assert.equal(await source.isConfirmed(), true);
  assert.equal(asked, 3);
  assert.equal(touched.length, 1);
});
