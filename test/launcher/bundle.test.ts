// The bundle that a checkout makes of its sources, and runs from its second start on.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { until } from '../../support/processes/poll.ts';
import { sharedScope, temporaryFolder } from '../../support/processes/scope.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const FILES = ['bin', 'src', 'client/index.js', 'scripts/bundle', 'package.json', 'package-lock.json'];
/** Prints the URL of each loaded module. */
const HOOK = `
import { registerHooks } from 'node:module';
registerHooks({ load: (url, context, next) => { console.error('loaded ' + url); return next(url, context); } });`;
const LISTED = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(HOOK)}` };

describe('the bundle of a checkout', () => {
  const scope = sharedScope();
  let checkout: string;
  const inCheckout = (file: string) => path.join(checkout, file);
  const edit = (file: string, from: string, to: string) => {
    const text = readFileSync(inCheckout(file), 'utf8');
    assert.ok(text.includes(from));
    writeFileSync(inCheckout(file), text.replace(from, to));
  };
  const run = (args: readonly string[], environment = {}) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [inCheckout('bin/main.cjs'), ...args], {
      cwd: checkout,
      env: { PATH: process.env.PATH, ...environment },
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
    return { stdout, stderr };
  };
  /** Were the sources loaded? Otherwise it was the bundle. */
  const runsSources = () => {
    const { stderr } = run(['--version'], LISTED);
    const isBundle = stderr.includes('/.cache/bundle/');
    assert.equal(stderr.includes('/src/main.ts'), !isBundle, stderr);
    return !isBundle;
  };
  const bundles = () => readdirSync(inCheckout('.cache/bundle')).filter((name) => name.includes('-'));
  /** As if another process were making a bundle: this one makes none. */
  const makeNone = () => writeFileSync(inCheckout('.cache/bundle/building'), '');
  const make = () => spawnSync(process.execPath, [inCheckout('scripts/bundle/make.ts')]).status;

  before(() => {
    checkout = temporaryFolder(scope);
    for (const file of FILES) cpSync(path.join(ROOT, file), inCheckout(file), { recursive: true });
    symlinkSync(path.join(ROOT, 'node_modules'), inCheckout('node_modules'));
  });

  it('a folder that cannot be written runs the sources, and prints nothing about it', () => {
    writeFileSync(inCheckout('.cache'), '');
    assert.deepEqual(run(['--version']), { stdout: '0.1.0\n', stderr: '' });
    rmSync(inCheckout('.cache'));
  });

  it('the first start runs the sources and makes one bundle, which later starts run', async () => {
    assert.ok(runsSources());
    run(['--version']);
    const isDone = () => !existsSync(inCheckout('.cache/bundle/building'));
    await until('a bundle', isDone, { withinMs: 60_000 });
    assert.equal(bundles().length, 1);
    assert.ok(!runsSources());
    assert.equal(run(['--help']).stdout, sourceHelp());
  });

  it('an edit runs at once, even if the size and the time of the file stay the same', () => {
    makeNone();
    const file = 'src/cli/program.ts';
    const { atime, mtime, size } = statSync(inCheckout(file));
    edit(file, 'Publishes product changelogs', 'Publishes PRODUCT changelogs');
    utimesSync(inCheckout(file), atime, mtime);
    assert.equal(statSync(inCheckout(file)).size, size);
    assert.match(run(['--help']).stdout, /^Publishes PRODUCT changelogs/m);
    assert.equal(make(), 0);
    assert.ok(!runsSources());
    assert.match(run(['--help']).stdout, /^Publishes PRODUCT changelogs/m);
  });

  it('a bundle that was deleted is not used', () => {
    makeNone();
    for (const name of bundles()) rmSync(inCheckout(`.cache/bundle/${name}`), { recursive: true });
    assert.ok(runsSources());
  });

  it('a bundle that could be written only in part, as on a full disk, is deleted', () => {
    const script = 'ulimit -f 200; exec "$0" "$1"';
    const args = ['-c', script, process.execPath, inCheckout('scripts/bundle/make.ts')];
    assert.notEqual(spawnSync('sh', args).status, 0);
    assert.deepEqual(bundles(), []);
  });

  it('a bundle that cannot be made is not used', () => {
    edit('src/cli/commands/doctor.ts', 'export function addDoctor', 'export function )addDoctor');
    assert.equal(make(), 1);
    assert.ok(runsSources());
  });

  function sourceHelp(): string {
    const { stdout } = spawnSync(process.execPath, [inCheckout('src/main.ts'), '--help'], {
      encoding: 'utf8',
    });
    return stdout;
  }
});
