// `npm test` itself, with a few small test files.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { PROOFS } from '../proofs/table.ts';
import { temporaryFolder } from '../support/processes/scope.ts';
import { enginesOf, groupsOf, type Part, ROOT, type Run, runsOf } from './runner/groups.ts';

const RUN = path.resolve(import.meta.dirname, 'run.ts');
/** PostgreSQL is not used, so none is started. */
const ENVIRONMENT = { ...process.env, TEST_POSTGRES_URL: 'postgres://127.0.0.1:1' };

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
  it('a run without failures prints a line for each process and the totals', (t) => {
    const { status, lines } = runTests(t, [GREEN]);
    assert.equal(status, 0, lines.join('\n'));
    assert.ok(lines.length < 20, `${lines.length} lines`);
    assert.equal(lines.filter((line) => line.startsWith(`✔ 300 tests on sqlite in `)).length, 1);
    assert.ok(!lines.join('\n').includes('postgres'), lines.join('\n'));
    assert.match(
      closingOf(lines),
      /^ℹ tests 300\nℹ suites 1\nℹ pass 300\nℹ fail 0\nℹ cancelled 0\nℹ skipped 0\nℹ todo 0\nℹ duration_ms \d+\n$/,
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
    const filesOf = (...paths: string[]) => runsOf('test', paths).map(({ file }) => file);
    assert.deepEqual(filesOf(folder), within('a.test.ts', 'inner/b.test.ts'));
    assert.deepEqual(
      filesOf(path.join(folder, 'inner'), ...within('inner/b.test.ts', 'inner/c.timed.test.ts')),
      within('inner/b.test.ts', 'inner/c.timed.test.ts', 'inner/c.timed.test.ts'),
    );
    assert.match(runPaths([folder]).stdout, /^ℹ tests 2$/m);
    const nothing = runPaths([path.join(folder, 'none')]);
    assert.equal(nothing.status, 1);
    assert.match(nothing.stderr, /there is no test at \S+none/);
  });
});

describe('where a test file runs', () => {
  const partsOf = (file: string): string[] =>
    PARTS.flatMap((part) => runsOf(part).map((run) => ({ ...run, part })))
      .filter((run) => run.file === file)
      .map(({ part, engine }) => `${part} on ${engine}`);

  it('a test file runs on both engines, unless its name says otherwise', () => {
    assert.deepEqual(enginesOf('test/store/read/a.test.ts'), ['sqlite', 'postgres']);
    assert.deepEqual(enginesOf('test/store/a.slow.test.ts'), ['sqlite', 'postgres']);
    for (const folder of ['store/read', 'deploy'])
      assert.deepEqual(enginesOf(`test/${folder}/a.postgres.test.ts`), ['postgres']);
    for (const name of [
      'store/a.sqlite',
      'store/a.once',
      'store/a.servers',
      'store/a.browser',
      'domain/a',
      'a',
    ])
      assert.deepEqual(enginesOf(`test/${name}.test.ts`), ['sqlite'], name);
    for (const name of ['a.sqlite.timed', 'a.once.timed', 'a.once.slow'])
      assert.deepEqual(enginesOf(`test/proofs/${name}.test.ts`), ['sqlite'], name);
  });

  it('every test file runs once on each of its engines, in one of three commands', () => {
    const runs = PARTS.flatMap((part) => groupsOf(runsOf(part)))
      .flatMap(({ engine, files }) => files.map((file) => `${file} on ${engine}`))
      .sort();
    const files = globSync('test/**/*.test.ts', { cwd: ROOT });
    const expected = files.flatMap((file) => enginesOf(file).map((engine) => `${file} on ${engine}`)).sort();
    assert.deepEqual(runs, expected);
  });

  it('npm test needs only Node.js and git', () => {
    const runs = runsOf('test');
    assert.ok(runs.length > 200, `${runs.length} files`);
    const starting = runs.filter(({ engine, file }) => engine !== 'sqlite' || startsServers(file));
    assert.deepEqual(starting, []);
    assert.ok(startsServers('test/cluster/redis.servers.test.ts'));
    assert.deepEqual(partsOf('test/cluster/redis.servers.test.ts'), ['rest on sqlite']);
  });

  it('only .ci/run and npm run test:all run what needs a browser, and nothing of both measures time or memory', () => {
    const isTimed = ({ file }: Run) => file.includes('.timed.');
    const others = [...runsOf('test'), ...runsOf('rest')];
    assert.deepEqual(others.filter(isTimed), []);
    assert.ok(runsOf('timed').every(isTimed));
    const browser = others.filter(({ file }) => reachesOf(file).includes(BROWSER));
    assert.ok(browser.length > 10, `${browser.length} files`);
    for (const { file } of browser) assert.deepEqual(partsOf(file), ['rest on sqlite'], file);
    const ci = readFileSync(path.join(ROOT, '.ci/run'), 'utf8');
    assert.match(ci, /^npm run check\nnpm test\nnpm run test:all\n$/m);
  });

  it('the short form of every proof is a test', () => {
    for (const { shortTest } of PROOFS) assert.notDeepEqual(partsOf(shortTest), [], shortTest);
  });
});

const PARTS: readonly Part[] = ['test', 'rest', 'timed'];
const BROWSER = 'support/browser/chromium.ts';
/** The modules that start what is not Node.js. */
const STARTERS = ['nginx', 'pgbouncer', 'postgres', 'redis']
  .map((name) => `cluster/${name}.ts`)
  .concat(BROWSER);

const startsServers = (file: string) => reachesOf(file).some((module) => STARTERS.includes(module));

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
