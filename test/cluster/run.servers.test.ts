import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import { promisify } from 'node:util';
import { temporaryFolder } from '../../support/processes/scope.ts';

const run = promisify(execFile);
const RUN = path.resolve(import.meta.dirname, '../../cluster/run.ts');

it('npm run cluster prints commands that work, and Ctrl-C leaves nothing behind', async (t) => {
  const folder = temporaryFolder(t);
  // Servers run as another user when the tests run as root.
  chmodSync(folder, 0o711);
  const child = spawn(process.execPath, [RUN], {
    env: { PATH: process.env.PATH, TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  const ended = once(child, 'close');
  let guide = '';
  child.stdout.on('data', (chunk) => {
    guide += chunk;
  });
  const endedEarly = ended.then(() => assert.fail('it exited before the cluster was running'));
  while (!guide.includes('kill -INT')) await Promise.race([once(child.stdout, 'data'), endedEarly]);

  const pids = [...guide.matchAll(/ pid (\d+)/g)].map(([, pid]) => pid);
  assert.equal(pids.length, 6, guide);
  for (const pid of pids) assert.ok(existsSync(`/proc/${pid}`));
  const [, publicFeed = ''] = /^ {2}curl -i (http\S+)$/m.exec(guide) ?? [];
  assert.equal((await fetch(publicFeed)).status, 200);
  const atom = await (await fetch(`${publicFeed}/feed.atom`)).text();
  const links = atom.match(/http:\/\/127\.0\.0\.1:\d+/g) ?? [];
  assert.deepEqual([...new Set(links)], [new URL(publicFeed).origin], 'all links lead through nginx');
  const [, key = '', teamFeed = ''] =
    /^ {2}curl -i -H 'Authorization: (\S+ \S+)' (http\S+)$/m.exec(guide) ?? [];
  assert.equal((await fetch(teamFeed, { headers: { Authorization: key } })).status, 200);
  const [, metrics = ''] = /^ {2}curl -s (http\S+\/metrics)$/m.exec(guide) ?? [];
  assert.equal((await fetch(metrics)).status, 200);

  const [, suspendBoth = ''] = /^Suspend both\. [^:]*:\n {2}(.*)$/m.exec(guide) ?? [];
  const { stdout } = await run('sh', ['-c', suspendBoth]);
  const [withKey, cached] = stdout.trim().split('\n');
  assert.match(withKey ?? '', /^(503 ){15}$/);
  assert.match(cached ?? '', /^(200 ?){15}$/);

  child.kill('SIGINT');
  assert.deepEqual(await ended, [0, null]);
  for (const pid of pids) assert.ok(!existsSync(`/proc/${pid}`), `still running: ${pid}`);
  assert.deepEqual(readdirSync(folder), []);
});
