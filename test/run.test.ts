// `npm test` itself, with a few small test files.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { PROOFS } from '../proofs/table.ts';
import { ENGINES } from '../support/databases/engines.ts';
import { temporaryFolder } from '../support/processes/scope.ts';
import { groupsOf, ROOT, shortFiles, testFiles } from './runner/groups.ts';

const RUN = path.resolve(import.meta.dirname, 'run.ts');
/** PostgreSQL is not used, so none is started. */
const ENVIRONMENT = { ...process.env, TEST_POSTGRES_URL: 'postgres://127.0.0.1:1', TEST_ENGINE: 'sqlite' };

const GREEN = `
import { describe, it } from 'node:test';
describe('a suite', () => {
  for (let index = 0; index < 300; index++) it('test ' + index, () => console.log('chatter'));
});
`;
const RED = `
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
describe('the outer suite', () => {
  describe('the inner suite', () => {
    it('a test that passes', () => {});
    it('a test that fails', () => assert.deepEqual({ found: 'this' }, { found: 'that' }));
  });
});
describe('a suite whose hook fails', () => {
  before(() => { throw new Error('no database'); });
  it('a test without its hook', () => {});
});
`;
const CRASH = `process.exit(7);`;
const UNCAUGHT = `
import { it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
it('a test that would wait forever', async () => {
  await setImmediate();
  await new Promise(() => setInterval(() => { throw new Error('thrown later'); }, 1));
});
`;

/** Runs `npm test -- FILE…` on files with these texts. */
function runTests(t: TestContext, texts: readonly string[], environment: NodeJS.ProcessEnv = {}) {
  const folder = temporaryFolder(t);
  const files = texts.map((text, index) => {
    const file = path.join(folder, `${index}.test.mjs`);
    writeFileSync(file, text);
    return file;
  });
  const { status, stdout, stderr } = runPaths(files, environment);
  assert.equal(stderr, '');
  return { status, lines: stdout.split('\n') };
}

function runPaths(paths: readonly string[], environment: NodeJS.ProcessEnv = {}) {
  const options = { env: { ...ENVIRONMENT, ...environment }, encoding: 'utf8' } as const;
  return spawnSync(process.execPath, [RUN, ...paths], options);
}

/** The lines from the totals to the end. */
function closingOf(lines: readonly string[]): string {
  return lines.slice(lines.findLastIndex((line) => line.startsWith('ℹ tests'))).join('\n');
}

describe('npm test', () => {
  it('a run without failures prints a line for each process and the totals, on both engines', (t) => {
    const { status, lines } = runTests(t, [GREEN], { TEST_ENGINE: undefined });
    assert.equal(status, 0, lines.join('\n'));
    assert.ok(lines.length < 20, `${lines.length} lines`);
    for (const engine of ['sqlite', 'postgres'])
      assert.equal(lines.filter((line) => line.startsWith(`✔ 300 tests on ${engine} in `)).length, 1);
    assert.match(
      closingOf(lines),
      /^ℹ tests 600\nℹ suites 2\nℹ pass 600\nℹ fail 0\nℹ cancelled 0\nℹ skipped 0\nℹ todo 0\nℹ duration_ms \d+\n$/,
    );
  });

  it('a run with failures prints each error, and at its end the tests that failed and their files', (t) => {
    const { status, lines } = runTests(t, [GREEN, RED]);
    const text = lines.join('\n');
    assert.equal(status, 1, text);
    assert.match(text, /AssertionError.*\n.*\n.*\n.*\{\n.*\+ {3}found: 'this'\n.*- {3}found: 'that'/);
    assert.match(text, /Error: no database\n +at .*1\.test\.mjs:11:/);
    const closing = closingOf(lines);
    assert.match(closing, /^ℹ tests 303$/m);
    assert.match(closing, /^ℹ fail 1$/m);
    assert.match(
      closing,
      /\n✖ failed:\n✖ the outer suite › the inner suite › a test that fails\n {2}on sqlite, \S+1\.test\.mjs:7\n/,
    );
    assert.match(closing, /^✖ a suite whose hook fails\n {2}on sqlite, \S+1\.test\.mjs:10$/m);
    assert.ok(!text.includes('a test that passes'), text);
  });

  it('a process that exits without a result is a failure that names its files', (t) => {
    const { status, lines } = runTests(t, [CRASH]);
    assert.equal(status, 1);
    assert.match(
      closingOf(lines),
      /^ℹ fail 1$[\s\S]*✖ the process of these files exited with 7\n {2}on sqlite, \S+0\.test\.mjs\n$/m,
    );
  });

  it('an error that nothing catches is printed, and is a failure that names the files', (t) => {
    const { status, lines } = runTests(t, [UNCAUGHT]);
    assert.equal(status, 1);
    assert.match(lines.join('\n'), /^uncaughtException .*Error: thrown later\n +at .*0\.test\.mjs:6:/m);
    assert.match(
      closingOf(lines),
      /✖ the process of these files exited with 1\n {2}on sqlite, \S+0\.test\.mjs\n$/,
    );
  });

  it('npm test -- PATH… runs the tests of a folder, and files', (t) => {
    const folder = temporaryFolder(t);
    mkdirSync(path.join(folder, 'inner'));
    for (const name of ['a.test.ts', 'inner/b.test.ts', 'inner/c.timed.test.ts', 'inner/helper.ts'])
      writeFileSync(
        path.join(folder, name),
        `import { it } from 'node:test'; it('a test of ${name}', () => {});`,
      );
    const within = (...names: string[]) => names.map((name) => path.relative(ROOT, path.join(folder, name)));
    assert.deepEqual(testFiles([folder]), within('a.test.ts', 'inner/b.test.ts'));
    assert.deepEqual(
      testFiles([path.join(folder, 'inner'), ...within('inner/b.test.ts', 'inner/c.timed.test.ts')]),
      within('inner/b.test.ts', 'inner/c.timed.test.ts'),
    );
    assert.match(runPaths([folder]).stdout, /^ℹ tests 2$/m);
    const nothing = runPaths([path.join(folder, 'none')]);
    assert.equal(nothing.status, 1);
    assert.match(nothing.stderr, /there is no test at \S+none/);
  });
});

describe('the engines of a test file', () => {
  const runsOf = (file: string, engines: (typeof ENGINES)[number][] = [...ENGINES]) =>
    groupsOf([file], engines).map(({ engine }) => engine);

  it('a test file runs on both engines, unless its name says otherwise', () => {
    assert.deepEqual(runsOf('test/store/read/a.test.ts'), ['postgres', 'sqlite']);
    assert.deepEqual(runsOf('test/store/read/a.postgres.test.ts'), ['postgres']);
    for (const name of [
      'store/a.sqlite',
      'store/a.once',
      'store/a.servers',
      'store/a.browser',
      'domain/a',
      'a',
    ])
      assert.deepEqual(runsOf(`test/${name}.test.ts`), ['sqlite'], name);
  });

  it('with TEST_ENGINE=sqlite no test needs anything but Node.js', () => {
    for (const name of ['servers', 'browser'])
      assert.deepEqual(runsOf(`test/store/a.${name}.test.ts`, ['sqlite']), []);
    const alone = groupsOf(testFiles([]), ['sqlite']).flatMap(({ files }) => files);
    assert.ok(alone.length > 200, `${alone.length} files`);
    const starting = alone.filter((file) => reachesOf(file).some((module) => STARTERS.includes(module)));
    assert.deepEqual(starting, []);
    assert.ok(reachesOf('test/cluster/redis.servers.test.ts').includes('cluster/redis.ts'));
  });

  it('npm test needs no browser', () => {
    const files = globSync('test/**/*.test.ts', { cwd: ROOT });
    const [browser, short] = [
      files.filter((file) => reachesOf(file).includes(BROWSER)),
      shortFiles().untimed,
    ];
    assert.ok(browser.length > 10, `${browser.length} files`);
    assert.deepEqual(
      browser.filter((file) => !short.includes(file)),
      [],
    );
  });

  it('npm run prove -- --short runs the proofs, what is slow, needs a browser or measures time or memory, and npm test the others', () => {
    const { untimed, timed } = shortFiles();
    const [short, others] = [[...untimed, ...timed], testFiles([])];
    assert.deepEqual([...short, ...others].sort(), globSync('test/**/*.test.ts', { cwd: ROOT }).sort());
    for (const { shortTest } of PROOFS) {
      const isShort = shortTest.startsWith('test/proofs/') || /\.(?:timed|slow)\./.test(shortTest);
      assert.equal(short.includes(shortTest), isShort, shortTest);
    }
    assert.ok(timed.length > 3 && timed.every((file) => file.includes('.timed.')), timed.join(' '));
    assert.deepEqual(runsOf('test/proofs/a.timed.test.ts'), ['postgres', 'sqlite']);
    assert.deepEqual(runsOf('test/store/a.slow.test.ts'), ['postgres', 'sqlite']);
    for (const name of ['a.sqlite.timed', 'a.once.timed', 'a.once.slow'])
      assert.deepEqual(runsOf(`test/proofs/${name}.test.ts`), ['sqlite'], name);
  });

  it('every test file runs in one group of each of its engines', () => {
    const files = testFiles([]);
    const groups = groupsOf(files, ENGINES);
    for (const engine of ENGINES) {
      const run = groups.filter((group) => group.engine === engine).flatMap((group) => group.files);
      assert.equal(new Set(run).size, run.length);
    }
    assert.deepEqual([...new Set(groups.flatMap((group) => group.files))].sort(), files);
  });
});

const BROWSER = 'support/browser/chromium.ts';
/** The modules that start what is not Node.js. */
const STARTERS = ['nginx', 'pgbouncer', 'postgres', 'redis']
  .map((name) => `cluster/${name}.ts`)
  .concat(BROWSER);

/** The files that a file loads when it starts, and those that they load. */
function reachesOf(file: string, found = new Set<string>()): string[] {
  for (const loaded of loadedBy(file)) {
    if (found.has(loaded)) continue;
    found.add(loaded);
    reachesOf(loaded, found);
  }
  return [...found];
}

const read = new Map<string, string[]>();

function loadedBy(file: string): string[] {
  const known = read.get(file);
  if (known !== undefined) return known;
  const text = readFileSync(path.join(ROOT, file), 'utf8');
  const imports = [...text.matchAll(/^(?:import|export) ([^';]*)from '(\.[^']+\.ts)';$/gm)];
  const loaded = imports
    .filter(([, names = '']) => !/^type /.test(names) && !/^\{(?:\s*type [^,}]+,?)+\s*\} $/.test(names))
    .map(([, , target = '']) => path.join(path.dirname(file), target));
  read.set(file, loaded);
  return loaded;
}
