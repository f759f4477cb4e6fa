// The bundle that a checkout makes of its sources, and runs from its second start on.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
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
import { ensureBundle } from '../../cluster/bundle.ts';
import { until } from '../../support/processes/poll.ts';
import { sharedScope, temporaryFolder } from '../../support/processes/scope.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const FILES = ['bin', 'client/index.js', 'scripts/bundle', 'package.json', 'package-lock.json'];
/** A small program in place of ours, which takes a second of the processor to bundle. It loads a command when needed. */
const SOURCES = {
  'src/main.ts': `import { version } from './version.ts';
    if (process.argv[2] === 'doctor') await import('./doctor.ts'); else console.log(version satisfies string);`,
  'src/version.ts': `export const version = '0.1.0';`,
  'src/doctor.ts': `console.log('${'healthy '.repeat(1_000)}');`,
  'src/cli/program.ts': '',
  'locales/en.json': '{}',
  'src/cli/arguments.ts': '',
  'src/cli/files/open-file.ts': '',
  'src/cli/report/dates.ts': '',
  'src/cli/report/outcomes.ts': '',
};
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
    for (const [file, text] of Object.entries(SOURCES)) {
      mkdirSync(path.dirname(inCheckout(file)), { recursive: true });
      writeFileSync(inCheckout(file), text);
    }
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
  });

  it('an edit runs at once, even if the size and the time of the file stay the same', () => {
    makeNone();
    const file = 'src/version.ts';
    const { atime, mtime, size } = statSync(inCheckout(file));
    edit(file, '0.1.0', '0.1.1');
    utimesSync(inCheckout(file), atime, mtime);
    assert.equal(statSync(inCheckout(file)).size, size);
    assert.equal(run(['--version']).stdout, '0.1.1\n');
    assert.equal(make(), 0);
    assert.ok(!runsSources());
    assert.equal(run(['--version']).stdout, '0.1.1\n');
  });

  it('a bundle that was deleted is not used', () => {
    makeNone();
    for (const name of bundles()) rmSync(inCheckout(`.cache/bundle/${name}`), { recursive: true });
    assert.ok(runsSources());
  });

  it('a bundle that could be written only in part, as on a full disk, is deleted', () => {
    // In units of 512 or 1,024 bytes: enough for all but the command.
    const script = 'ulimit -f 4; exec "$0" "$1"';
    const args = ['-c', script, process.execPath, inCheckout('scripts/bundle/make.ts')];
    const { status, stderr } = spawnSync('sh', args, { encoding: 'utf8' });
    assert.notEqual(status, 0);
    assert.match(stderr, /file too large/);
    assert.deepEqual(bundles(), []);
  });

  it('a bundle that cannot be made is not used', () => {
    edit('src/doctor.ts', 'console', ')console');
    assert.equal(make(), 1);
    assert.ok(runsSources());
  });
});

it('the bundle of this checkout is the same program as its sources', async () => {
  await ensureBundle();
  const [bundled, sources] = ['bin/main.cjs', 'src/main.ts'].map((program) =>
    spawnSync(process.execPath, [path.join(ROOT, program), '--help'], {
      env: { PATH: process.env.PATH, ...LISTED },
      encoding: 'utf8',
    }),
  );
  assert.match(bundled?.stderr ?? '', /\/\.cache\/bundle\//);
  assert.match(sources?.stderr ?? '', /\/src\/cli\/program\.ts/);
  assert.match(sources?.stdout ?? '', /^Publishes product changelogs/m);
  assert.equal(bundled?.stdout, sources?.stdout);
});

it('what every command of this checkout needs is one file of its bundle, besides the start', async () => {
  await ensureBundle();
  const { stderr } = spawnSync(process.execPath, [path.join(ROOT, 'bin/main.cjs'), '--version'], {
    env: { PATH: process.env.PATH, ...LISTED },
    encoding: 'utf8',
  });
  const files = [...stderr.matchAll(/^loaded .*\/\.cache\/bundle\/(.*)$/gm)];
  assert.ok(files.length > 0 && files.length <= 5, stderr);
});
