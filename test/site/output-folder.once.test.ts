import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { Refusal } from '../../src/errors.ts';
import { formatManifest, MANIFEST } from '../../src/site/manifest.ts';
import { type OutputReport, openOutputFolder } from '../../src/site/output-folder.ts';
import { temporaryFolder } from '../../support/processes/scope.ts';
import { withFault, withoutCase } from './faults.ts';

type Site = Record<string, string>;

const SITE = { 'index.html': 'one', 'versions/1.0.html': 'first', 'versions/1.0/notes.md': '- first' };
const LATER = { 'index.html': 'two', 'versions/2.0.html': 'second', 'versions/2.0/notes.md': '- second' };
const BUILD = path.join(import.meta.dirname, 'build.ts');
const NOTHING_CHANGED = / \(nothing was changed\)$/;

/** Alone in its parent, so that a test sees what is written beside it. */
function outputIn(t: TestContext): string {
  return path.join(temporaryFolder(t), 'site');
}

function build(folder: string, site: Site): OutputReport {
  using output = openOutputFolder(folder, 'site');
  for (const [file, body] of Object.entries(site)) output.put(file, body);
  return output.finish();
}

function builtIn(t: TestContext, site: Site = SITE): string {
  const folder = outputIn(t);
  build(folder, site);
  return folder;
}

/** A refusal changes nothing, neither in the folder nor beside it. */
function refusalOf(folder: string, site: Site): string {
  const before = snapshot(path.dirname(folder));
  const message = messageOf(() => build(folder, site)) ?? 'not refused';
  assert.deepEqual(snapshot(path.dirname(folder)), before);
  assert.match(message, NOTHING_CHANGED);
  return message.replace(NOTHING_CHANGED, '');
}

/** Null if it is not refused. */
function messageOf(work: () => unknown): string | null {
  try {
    work();
    return null;
  } catch (error) {
    assert.ok(error instanceof Refusal, String(error));
    return error.message;
  }
}

/** Everything below a folder, with what tells whether it was written again. */
function snapshot(folder: string): Site {
  return read(folder, (place) => {
    const { ino, mtimeNs } = lstatSync(place, { bigint: true });
    return ` (${ino} at ${mtimeNs})`;
  });
}

function read(folder: string, describeFile: (place: string) => string = () => ''): Site {
  const readBelow = (below: string): [string, string][] =>
    readdirSync(path.join(folder, below), { withFileTypes: true }).flatMap((entry) => {
      const [name, place] = [`${below}${entry.name}`, path.join(folder, below, entry.name)];
      if (entry.isDirectory()) return [[`${name}/`, ''], ...readBelow(`${name}/`)];
      if (entry.isSymbolicLink()) return [[name, `to ${readlinkSync(place)}`]];
      return [[name, `${readFileSync(place, 'latin1')}${describeFile(place)}`]];
    });
  return Object.fromEntries(readBelow(''));
}

/** What the folder of a site must contain, and nothing else. */
function contentOf(site: Site): Site {
  const folders = Object.keys(site)
    .flatMap((file) => [...file.matchAll(/\//g)].map(({ index }) => `${file.slice(0, index)}/`))
    .map((folder) => [folder, '']);
  return Object.fromEntries(
    [...Object.entries(site), ...folders, [MANIFEST, formatManifest(Object.keys(site))]].sort(),
  );
}

describe('a build', () => {
  it('creates the folder and all files, with the mode of other new files', (t) => {
    const folder = path.join(outputIn(t), 'of/rocket');
    const bytes = Object.values(SITE).join('').length;
    assert.deepEqual(build(folder, SITE), { files: 3, bytes, written: 3, unchanged: 0, removed: 0 });
    assert.deepEqual(read(folder), contentOf(SITE));
    const usual = path.join(path.dirname(folder), 'usual');
    writeFileSync(usual, '');
    for (const file of ['index.html', MANIFEST])
      assert.equal(lstatSync(path.join(folder, file)).mode, lstatSync(usual).mode, file);
  });

  it('that changes nothing writes nothing, not even the time of the folder', (t) => {
    const folder = builtIn(t);
    utimesSync(folder, 1, 1);
    const before = snapshot(folder);
    assert.partialDeepStrictEqual(build(folder, SITE), { written: 0, unchanged: 3, removed: 0 });
    assert.deepEqual(snapshot(folder), before);
    assert.equal(lstatSync(folder).mtimeMs, 1_000);
  });

  it('writes only what changed, also if only one byte of a large file has, and removes what is gone', (t) => {
    const large = 'x'.repeat(200_000);
    const folder = builtIn(t, { ...SITE, 'llms.txt': large, 'widget.js': `${large}y` });
    const { 'llms.txt': before } = snapshot(folder);
    const later = { ...LATER, 'llms.txt': large, 'widget.js': `${large}z` };
    assert.partialDeepStrictEqual(build(folder, later), { written: 4, unchanged: 1, removed: 2 });
    assert.deepEqual(read(folder), contentOf(later));
    assert.equal(snapshot(folder)['llms.txt'], before);
  });

  it('writes bytes as they are, restores what was edited or deleted, and accepts an empty file', (t) => {
    const folder = builtIn(t, { ...SITE, '.nojekyll': '' });
    writeFileSync(path.join(folder, 'index.html'), 'mine');
    rmSync(path.join(folder, 'versions/1.0'), { recursive: true });
    assert.partialDeepStrictEqual(build(folder, { ...SITE, '.nojekyll': '' }), { written: 2, unchanged: 2 });
    assert.deepEqual(read(folder), contentOf({ ...SITE, '.nojekyll': '' }));
    using output = openOutputFolder(folder);
    output.put('.nojekyll', Buffer.of(0xff, 0));
    output.put('feed.atom', ['a “', Buffer.of(0xff, 0), '', '” z']);
    output.finish();
    assert.deepEqual(readFileSync(path.join(folder, '.nojekyll')), Buffer.of(0xff, 0));
    const parts = [Buffer.from('a “'), Buffer.of(0xff, 0), Buffer.from('” z')];
    assert.deepEqual(readFileSync(path.join(folder, 'feed.atom')), Buffer.concat(parts));
  });

  it('leaves other files alone, and the folders that they are in', (t) => {
    const folder = builtIn(t);
    for (const file of ['CNAME', 'versions/1.0/mine.txt']) writeFileSync(path.join(folder, file), 'mine');
    mkdirSync(path.join(folder, 'versions/empty'));
    symlinkSync('/', path.join(folder, 'root'));
    build(folder, {});
    assert.deepEqual(read(folder), {
      [MANIFEST]: formatManifest([]),
      CNAME: 'mine',
      root: 'to /',
      'versions/': '',
      'versions/1.0/': '',
      'versions/1.0/mine.txt': 'mine',
      'versions/empty/': '',
    });
  });

  it('replaces a file whose name has changed only in case, also where both names are one file', (t) => {
    const before = { 'versions/1.0-RC.html': 'same', 'versions/1.0-RC/notes.md': 'same' };
    const after = { 'versions/1.0-rc.html': 'same', 'versions/1.0-rc/notes.md': 'same' };
    const folder = builtIn(t, before);
    assert.partialDeepStrictEqual(build(folder, after), { written: 2, removed: 2 });
    assert.deepEqual(read(folder), contentOf(after));
    const other = outputIn(t);
    withoutCase(other, () => {
      build(other, before);
      build(other, after);
      assert.partialDeepStrictEqual(build(other, after), { written: 0, unchanged: 2, removed: 0 });
      writeFileSync(path.join(other, 'Index.html'), 'mine');
      assert.match(
        refusalOf(other, { ...after, ...SITE }),
        /^site\/index.html already exists and was not written by an earlier build \(\.changelog-site\.json does not list it\)/,
      );
    });
    assert.deepEqual(read(other), { ...contentOf(after), 'index.html': 'mine' });
  });

  it('takes files that it would write as its own if the manifest was lost, and refuses if one differs', (t) => {
    const folder = builtIn(t);
    rmSync(path.join(folder, MANIFEST));
    assert.match(refusalOf(folder, { ...SITE, ...LATER }), /^site\/index\.html already exists/);
    assert.partialDeepStrictEqual(build(folder, SITE), { written: 0, unchanged: 3 });
    assert.deepEqual(read(folder), contentOf(SITE));
    assert.partialDeepStrictEqual(build(folder, LATER), { written: 3, removed: 2 });
  });

  it('follows the folder itself if that is a symbolic link', (t) => {
    const folder = outputIn(t);
    mkdirSync(`${folder}-1`);
    symlinkSync('site-1', folder);
    build(folder, SITE);
    assert.deepEqual(read(`${folder}-1`), contentOf(SITE));
  });

  it('that is discarded leaves nothing behind, also no folder that it has created', (t) => {
    const folder = path.join(outputIn(t), 'of/rocket');
    const parent = path.dirname(path.dirname(path.dirname(folder)));
    {
      using output = openOutputFolder(folder);
      assert.deepEqual(read(parent), {});
      output.put('versions/1.0.html', 'first');
      assert.equal(existsSync(path.join(folder, 'versions')), false);
    }
    assert.deepEqual(read(parent), {});
    build(folder, SITE);
    const before = snapshot(parent);
    const output = openOutputFolder(folder);
    output.put('index.html', 'two');
    output.discard();
    output.discard();
    assert.deepEqual(snapshot(parent), before);
  });
});

describe('a build is refused', () => {
  it('if a file, a folder or a link that it did not write is in the way; it names five of them', (t) => {
    const folder = outputIn(t);
    mkdirSync(path.join(folder, '404.html'), { recursive: true });
    writeFileSync(path.join(folder, 'index.html'), 'mine');
    assert.equal(
      refusalOf(folder, SITE),
      `site/index.html already exists and was not written by an earlier build (there is no ${MANIFEST} that lists it); choose an empty folder with --out, or delete it`,
    );
    const advice = `already exist and were not written by an earlier build (there is no ${MANIFEST} that lists them); choose an empty folder with --out, or delete them`;
    symlinkSync('/etc/passwd', path.join(folder, 'page-2.html'));
    symlinkSync('/nowhere', path.join(folder, 'page-3.html'));
    writeFileSync(path.join(folder, 'versions'), 'mine');
    const site = { ...SITE, '404.html': '', 'page-2.html': '', 'page-3.html': '' };
    assert.equal(
      refusalOf(folder, site),
      `site/index.html, site/versions, site/404.html, site/page-2.html and site/page-3.html ${advice}`,
    );
    for (const name of ['feed.atom', 'feed.rss']) writeFileSync(path.join(folder, name), 'mine');
    assert.equal(
      refusalOf(folder, { ...site, 'feed.atom': '', 'feed.rss': '' }),
      `site/index.html, site/versions, site/404.html, site/page-2.html, site/page-3.html and 2 more ${advice}`,
    );
  });

  it('if a folder or link has taken the place of one of its files, in this build or the last', (t) => {
    for (const site of [SITE, LATER])
      for (const [place, target] of [
        ['versions/1.0', '..'],
        ['versions', '/etc'],
        ['versions/1.0.html', '/etc/passwd'],
        ['versions/1.0.html', null],
      ] as const) {
        const folder = builtIn(t);
        rmSync(path.join(folder, place), { recursive: true });
        if (target === null) mkdirSync(path.join(folder, place));
        else symlinkSync(target, path.join(folder, place));
        assert.match(
          refusalOf(folder, site),
          new RegExp(`^site/${place} already exists and was not written by an earlier build[ ;]`),
        );
      }
  });

  it('if a manifest lists files outside of the folder, through a link, or that no build creates', (t) => {
    const folder = builtIn(t);
    const beside = path.join(path.dirname(folder), 'beside');
    mkdirSync(beside);
    for (const name of ['mine.html', '2.0.html']) writeFileSync(path.join(beside, name), 'mine');
    const manifest = path.join(folder, MANIFEST);
    for (const file of [
      '../beside/mine.html',
      'a/../../beside/mine.html',
      path.join(beside, 'mine.html'),
      './index.html',
      'a//b',
      '',
      '..',
      'a\\b',
      'C:a',
      'a\u001b[2J',
      MANIFEST,
      1,
      ...[
        '.env',
        '.gitignore',
        '.git/HEAD',
        'src/main.c',
        'README.md',
        'index.html\n',
        'acme/rocket/robots.txt',
      ],
      ...[
        'a/b/c/index.html',
        'Acme/index.html',
        'versions/.env',
        'versions/a b.html',
        'versions/1.0/mine.txt',
      ],
      ...['versions/1.0/../notes.md', 'changes/1.0.html', 'type-mine.html', 'year-20255.html', 'page-.html'],
    ]) {
      writeFileSync(manifest, JSON.stringify({ format: 1, files: ['index.html', file] }));
      assert.equal(
        refusalOf(folder, SITE),
        `site/${MANIFEST} lists ${JSON.stringify(file)}, which \`build\` never creates; restore it, or build into an empty folder`,
      );
    }
    rmSync(path.join(folder, 'versions'), { recursive: true });
    symlinkSync('../beside', path.join(folder, 'versions'));
    for (const site of [{}, LATER]) {
      writeFileSync(manifest, formatManifest(['versions/mine.html', 'versions/2.0.html', 'index.html']));
      assert.match(refusalOf(folder, site), /^site\/versions already exists and was not written/);
    }
  });

  it('if the manifest is damaged, from a later version, or not a file', (t) => {
    const folder = builtIn(t);
    const manifest = path.join(folder, MANIFEST);
    for (const text of [
      '',
      '{"format":1,"fil',
      'null',
      '[]',
      '{"files":[]}',
      '{"format":1,"files":"index.html"}',
    ]) {
      writeFileSync(manifest, text);
      assert.equal(
        refusalOf(folder, SITE),
        `site/${MANIFEST} is damaged, so the files of the earlier build are not known; delete the files of the earlier build, or choose another folder with --out`,
      );
    }
    writeFileSync(manifest, '{"format":2,"paths":{}}');
    assert.match(
      refusalOf(folder, SITE),
      /is from a later version of this program; use that, or choose another/,
    );
    rmSync(manifest);
    symlinkSync('/etc/passwd', manifest);
    assert.match(refusalOf(folder, SITE), /is not a file; /);
    rmSync(manifest);
    mkdirSync(manifest);
    assert.match(refusalOf(folder, SITE), /is not a file; /);
  });

  it('if the folder is a file, is below one, or is a link to nowhere', (t) => {
    const folder = outputIn(t);
    writeFileSync(folder, 'mine');
    const advice = 'is a file, not a folder; choose another folder with --out';
    assert.equal(refusalOf(folder, SITE), `site ${advice}`);
    const openBelow = () => openOutputFolder(path.join(folder, 'below/it'), 'site/below/it');
    assert.equal(messageOf(openBelow), `site ${advice} (nothing was changed)`);
    symlinkSync('nowhere', `${folder}-1`);
    assert.equal(
      refusalOf(`${folder}-1`, SITE),
      'site cannot be written (ENOENT); choose another folder with --out',
    );
  });

  it('if the folder cannot be created; it does not try forever', () => {
    assert.equal(
      messageOf(() => build('/proc/changelog/site', SITE)),
      'no folder can be created in /proc (ENOENT); choose another folder with --out (nothing was changed)',
    );
  });

  it('if the file system is read-only, also if the folder does not exist yet', (t) => {
    const fail = (syscall: string) => {
      throw Object.assign(new Error('EROFS: read-only'), { code: 'EROFS', syscall });
    };
    for (const folder of [builtIn(t), outputIn(t)])
      withFault(1, fail, () =>
        assert.equal(
          refusalOf(folder, LATER),
          'site is on a read-only file system; choose another folder with --out',
        ),
      );
  });

  it('with an ordinary error if two of its paths are one on some file systems, or no file of a site', (t) => {
    const output = openOutputFolder(outputIn(t));
    output.put('versions/1.0-rc.html', '');
    for (const file of ['versions/1.0-RC.html', 'versions/1.0-rc.html'])
      assert.throws(() => output.put(file, ''), { message: /^two files of one site/ });
    output.put('versions/1.0.json/notes.md', '');
    for (const file of ['versions/1.0.json', 'versions/1.0-RC.html/notes.md'])
      assert.throws(() => output.put(file, ''), { message: /^a file and a folder of one site/ });
    for (const file of [
      '',
      '/index.html',
      'index.html/',
      '../index.html',
      'a/./index.html',
      'CNAME',
      MANIFEST,
    ])
      assert.throws(() => output.put(file, ''), { message: /^not a file of a site/ });
    output.discard();
  });
});

describe('two builds into one folder', () => {
  it('the second is refused while the first has something to write, in this process and in others', async (t) => {
    const folder = builtIn(t);
    const first = openOutputFolder(folder);
    first.put('index.html', 'two');
    const process_ = `^another build \\(process ${process.pid}\\) is writing to site; wait for it to finish\\. If no build is running, delete site/\\.changelog-site-`;
    assert.match(refusalOf(folder, LATER), new RegExp(process_));
    const { stdout } = buildElsewhere(folder, LATER, { killAt: 0 });
    assert.match(stdout, new RegExp(process_));
    first.finish();
    assert.partialDeepStrictEqual(build(folder, LATER), { written: 2, unchanged: 1, removed: 0 });
  });

  it('one that has compared files before the other changed them is refused', (t) => {
    const folder = builtIn(t);
    const first = openOutputFolder(folder, 'site');
    first.put('index.html', 'one');
    build(folder, { ...SITE, 'index.html': 'two' });
    assert.throws(() => first.put('versions/1.0.html', 'changed'), {
      message: 'another build has changed site in the meantime; run this one again (nothing was changed)',
    });
    first.discard();
    assert.deepEqual(read(folder), contentOf({ ...SITE, 'index.html': 'two' }));
  });

  it('what a process left behind that has ended does not matter, even if another one has its id', async (t) => {
    const folder = builtIn(t);
    const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
    await once(child, 'exit');
    const pids = [child.pid, process.pid, process.ppid, '99999999999999999999'];
    for (const pid of pids) {
      const left = path.join(folder, `.changelog-site-${pid}-abcdef`);
      mkdirSync(left);
      writeFileSync(path.join(left, '0'), 'half');
      utimesSync(left, 1, 1);
    }
    build(folder, SITE);
    assert.deepEqual(read(folder), contentOf(SITE));
  });
});

describe('a build that stops early', () => {
  const CNAME = { CNAME: 'mine' };

  /** Runs a build in a copy of a folder for each step at which it can stop, until one does not stop. */
  function atEachStep(t: TestContext, from: Site | null, stopAt: (folder: string, nth: number) => boolean) {
    const start = outputIn(t);
    mkdirSync(start);
    if (from !== null) build(start, from);
    writeFileSync(path.join(start, 'CNAME'), 'mine');
    for (let nth = 1; ; nth += 1) {
      const folder = `${start}-${nth}`;
      cpSync(start, folder, { recursive: true });
      if (!stopAt(folder, nth)) return assert.ok(nth > 10);
      build(folder, LATER);
      assert.deepEqual(read(folder), { ...contentOf(LATER), ...CNAME });
    }
  }

  for (const [name, from] of [
    ['first', null],
    ['later', SITE],
  ] as const) {
    it(`by SIGKILL, at any step of a ${name} build, leaves old or new files, and the next build completes it`, (t) => {
      atEachStep(t, from, (folder, nth) => {
        const { signal } = buildElsewhere(folder, LATER, { killAt: nth });
        for (const [file, body] of Object.entries(read(folder)))
          if (!file.endsWith('/') && !file.startsWith('.changelog-site'))
            assert.ok([CNAME, from, LATER].map((site: Site | null) => site?.[file]).includes(body), file);
        const another = `${folder}-another`;
        cpSync(folder, another, { recursive: true });
        build(another, { '404.html': '' });
        assert.deepEqual(read(another), { ...contentOf({ '404.html': '' }), ...CNAME });
        return signal === 'SIGKILL';
      });
    });

    it(`by an error, at any step of a ${name} build, has changed nothing, or says that it must run again`, (t) => {
      const outcomes = new Set<string>();
      atEachStep(t, from, (folder, nth) => {
        const before = read(folder);
        let isStopped = false;
        const failUnlessIgnored = (call: string) => {
          isStopped = true;
          if (call !== 'rmdirSync') throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
        };
        const message = messageOf(() => withFault(nth, failUnlessIgnored, () => build(folder, LATER)));
        if (message === null) return isStopped;
        const [, reason, outcome = ''] = /^site cannot be written: (.*) \((.*)\)$/.exec(message) ?? [];
        assert.equal(reason, 'the disk is full (ENOSPC); free some space and try again');
        if (outcome === 'nothing was changed') assert.deepEqual(read(folder), before);
        outcomes.add(outcome);
        return true;
      });
      assert.deepEqual(
        [...outcomes],
        ['nothing was changed', 'only a part of the new site is in place; run this again'],
      );
    });
  }

  it('because a file grows too large leaves the folder as it was', (t) => {
    const folder = builtIn(t);
    const before = snapshot(path.dirname(folder));
    const site = { ...LATER, 'widget.js': 'x'.repeat(100_000) };
    for (const output of [folder, `${folder}-new`]) {
      const { stdout } = buildElsewhere(output, site, { setup: 'ulimit -f 100; ', killAt: 0 });
      assert.match(
        stdout,
        /^site cannot be written: the disk is full \(EFBIG\); .* \(nothing was changed\)$/,
      );
    }
    assert.deepEqual(snapshot(path.dirname(folder)), before);
  });

  it('because a folder in it is not writable leaves all files as they were', (t) => {
    const folder = builtIn(t);
    const before = snapshot(path.dirname(folder));
    for (const [place, mode] of [
      [path.dirname(folder), 0o777],
      [folder, 0o777],
      [path.join(folder, 'versions'), 0o555],
    ] as const)
      chmodSync(place, mode);
    const advice = 'change its permissions or choose another folder with --out (nothing was changed)';
    assert.equal(buildElsewhere(folder, LATER).stdout, `you may not write to site/versions; ${advice}`);
    chmodSync(folder, 0o555);
    assert.equal(buildElsewhere(folder, LATER).stdout, `you may not write to site; ${advice}`);
    assert.deepEqual(snapshot(path.dirname(folder)), before);
  });
});

/** Without a step, it runs as a user who may not write everywhere. */
function buildElsewhere(
  folder: string,
  site: Site,
  { killAt, setup = '' }: Readonly<{ killAt?: number; setup?: string }> = {},
) {
  const args = [BUILD, folder, JSON.stringify(site), ...(killAt === undefined ? [] : [String(killAt)])];
  const shell = ['-c', `${setup}exec "$0" "$@"`, process.execPath, ...args];
  const { stdout, stderr, signal } = spawnSync('/bin/sh', shell, { encoding: 'utf8' });
  assert.equal(stderr, '');
  return { stdout: stdout.trim(), signal };
}
