// What a build writes, removes and refuses in the folder of a site.
import assert from 'node:assert/strict';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { Refusal } from '../../src/errors.ts';
import { type FolderReport, MANIFEST, writeFolder } from '../../src/site/folder.ts';
import { temporaryFolder } from '../../support/processes/scope.ts';

type Site = Readonly<Record<string, string>>;

const SITE = { 'index.html': 'one', 'versions/1.0.html': 'first', 'versions/1.0/notes.md': '- first' };
const LATER = { 'index.html': 'two', 'versions/2.0.html': 'second', 'versions/2.0/notes.md': '- second' };
const NOTHING_CHANGED = / \(nothing was changed\)$/;

function build(folder: string, site: Site): Promise<FolderReport> {
  const files = Object.entries(site).map(([file, body]) => [file, () => body] as const);
  return writeFolder(folder, files, { name: 'site', sources: [], onFile: () => {} });
}

async function builtIn(t: TestContext, site: Site = SITE): Promise<string> {
  const folder = path.join(temporaryFolder(t), 'site');
  await build(folder, site);
  return folder;
}

/** A refusal changes nothing, neither in the folder nor beside it. */
async function refusalOf(folder: string, site: Site): Promise<string> {
  const before = contentOf(path.dirname(folder));
  const error = await build(folder, site).then(
    () => assert.fail('not refused'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof Refusal, String(error));
  assert.deepEqual(contentOf(path.dirname(folder)), before);
  assert.match(error.message, NOTHING_CHANGED);
  return error.message.replace(NOTHING_CHANGED, '');
}

/** Everything below a folder, with the times of files if asked for. */
function contentOf(folder: string, withTimes = false): Site {
  const below = readdirSync(folder, { recursive: true, withFileTypes: true });
  const entries = below.map((entry): [string, string] => {
    const place = path.join(entry.parentPath, entry.name);
    const name = path.relative(folder, place);
    if (entry.isSymbolicLink()) return [name, `to ${readlinkSync(place)}`];
    if (!entry.isFile()) return [`${name}/`, ''];
    const { ino, mtimeNs } = lstatSync(place, { bigint: true });
    return [name, readFileSync(place, 'utf8') + (withTimes ? ` (${ino} at ${mtimeNs})` : '')];
  });
  return Object.fromEntries(entries.sort());
}

function formatManifest(files: readonly string[]): string {
  const about = 'changelog build wrote these files, and replaces and removes no others.';
  return `${JSON.stringify({ about, format: 1, files: files.toSorted() }, null, 1)}\n`;
}

/** What the folder of a site must contain, and nothing else. */
function folderWith(site: Site): Site {
  const folders = Object.keys(site)
    .flatMap((file) => [...file.matchAll(/\//g)].map(({ index }) => `${file.slice(0, index)}/`))
    .map((folder) => [folder, '']);
  const manifest = [MANIFEST, formatManifest(Object.keys(site))];
  return Object.fromEntries([...Object.entries(site), ...folders, manifest].sort());
}

describe('a build', () => {
  it('creates the folder, those around it, and all files', async (t) => {
    const folder = path.join(temporaryFolder(t), 'some/where/site');
    const report = await build(folder, SITE);
    assert.deepEqual(report, { files: 3, bytes: 15, written: 3, unchanged: 0, removed: 0 });
    assert.deepEqual(contentOf(folder), folderWith(SITE));
  });

  it('that changes nothing writes nothing', async (t) => {
    const folder = await builtIn(t);
    const before = contentOf(folder, true);
    assert.deepEqual(await build(folder, SITE), {
      files: 3,
      bytes: 15,
      written: 0,
      unchanged: 3,
      removed: 0,
    });
    assert.deepEqual(contentOf(folder, true), before);
  });

  it('writes only what changed, and removes what is gone with its folders', async (t) => {
    const folder = await builtIn(t);
    const before = contentOf(folder, true);
    const changed = { ...SITE, 'index.html': 'onf' };
    assert.equal((await build(folder, changed)).written, 1);
    assert.equal(contentOf(folder, true)['versions/1.0.html'], before['versions/1.0.html']);
    assert.equal((await build(folder, LATER)).removed, 2);
    assert.deepEqual(contentOf(folder), folderWith(LATER));
  });

  it('restores what was edited or deleted', async (t) => {
    const folder = await builtIn(t);
    writeFileSync(path.join(folder, 'index.html'), 'mine');
    rmSync(path.join(folder, 'versions'), { recursive: true });
    assert.equal((await build(folder, SITE)).written, 3);
    assert.deepEqual(contentOf(folder), folderWith(SITE));
  });

  it('leaves other files alone, and the folders that they are in', async (t) => {
    const folder = await builtIn(t);
    for (const file of ['CNAME', 'versions/mine.txt', 'versions/1.0/mine.txt'])
      writeFileSync(path.join(folder, file), 'mine');
    await build(folder, LATER);
    const { CNAME, ...content } = contentOf(folder);
    assert.equal(CNAME, 'mine');
    assert.equal(content['versions/mine.txt'], 'mine');
    assert.equal(content['versions/1.0/mine.txt'], 'mine');
    assert.ok(!('versions/1.0.html' in content));
  });

  it('removes a file before it writes one whose name differs only in case', async (t) => {
    const folder = await builtIn(t, { 'versions/RC.html': 'first' });
    await build(folder, { 'versions/rc.html': 'first' });
    assert.deepEqual(contentOf(folder), folderWith({ 'versions/rc.html': 'first' }));
  });

  it('that was cut off is gone on with: its files were listed before they were written', async (t) => {
    const folder = await builtIn(t);
    const files = [
      ['index.html', () => 'two'],
      [
        'versions/2.0.html',
        () => {
          throw new Error('cut off');
        },
      ],
    ] as const;
    await assert.rejects(
      writeFolder(folder, files, { name: 'site', sources: [], onFile: () => {} }),
      /cut off/,
    );
    await build(folder, { ...LATER, 'index.html': 'three' });
    assert.deepEqual(contentOf(folder), folderWith({ ...LATER, 'index.html': 'three' }));
  });

  it('follows the folder itself if that is a symbolic link', async (t) => {
    const folder = await builtIn(t);
    const link = `${folder}-link`;
    symlinkSync(folder, link);
    await build(link, LATER);
    assert.deepEqual(contentOf(folder), folderWith(LATER));
  });
});

describe('a build is refused', () => {
  it('if files that it did not write are in the way; it names five of them', async (t) => {
    const folder = await builtIn(t);
    const site = Object.fromEntries(
      Array.from({ length: 7 }, (_, at) => [`versions/${at + 2}.0.html`, 'new']),
    );
    for (const file of Object.keys(site)) writeFileSync(path.join(folder, file), 'mine');
    assert.equal(
      await refusalOf(folder, site),
      `these were not written by an earlier build (${MANIFEST} does not list them): site/versions/2.0.html, site/versions/3.0.html, site/versions/4.0.html, site/versions/5.0.html, site/versions/6.0.html, 2 more; choose an empty folder with --out, or delete them`,
    );
  });

  it('if the manifest was lost', async (t) => {
    const folder = await builtIn(t, { 'index.html': 'one' });
    rmSync(path.join(folder, MANIFEST));
    assert.equal(
      await refusalOf(folder, { 'index.html': 'one' }),
      `these were not written by an earlier build (${MANIFEST} does not list them): site/index.html; choose an empty folder with --out, or delete them`,
    );
  });

  it('if a folder or a link has taken the place of one of its files or folders', async (t) => {
    const elsewhere = temporaryFolder(t);
    writeFileSync(path.join(elsewhere, '1.0.html'), 'mine');
    for (const [file, target] of [
      ['index.html', null],
      ['versions/1.0.html', path.join(elsewhere, '1.0.html')],
      ['versions', elsewhere],
    ] as const) {
      const folder = await builtIn(t);
      rmSync(path.join(folder, file), { recursive: true });
      if (target === null) mkdirSync(path.join(folder, file));
      else symlinkSync(target, path.join(folder, file));
      for (const site of [SITE, LATER])
        assert.match(await refusalOf(folder, site), /not written by an earlier/);
    }
    assert.equal(readFileSync(path.join(elsewhere, '1.0.html'), 'utf8'), 'mine');
  });

  it('if a manifest lists files outside of the folder, or that no build creates', async (t) => {
    for (const file of [
      ...['../secret', '/etc/passwd', 'versions/../../secret.html', '.git/config', 'src/main.ts'],
      ...['versions/.hidden.html', 'a//index.html', 'a\\\\b.html', 'index.html\n', ''],
    ]) {
      const folder = await builtIn(t);
      writeFileSync(path.join(path.dirname(folder), 'secret'), 'mine');
      writeFileSync(path.join(folder, MANIFEST), formatManifest([file]));
      assert.match(await refusalOf(folder, SITE), /^site\/\.changelog-site\.json is damaged, or of a later/);
    }
  });

  it('if the manifest is damaged, of a later version, or not a file', async (t) => {
    for (const text of ['', '{}', 'null', '{"format": 2, "files": []}', '{"format": 1, "files": {}}']) {
      const folder = await builtIn(t);
      writeFileSync(path.join(folder, MANIFEST), text);
      assert.match(
        await refusalOf(folder, SITE),
        /^site\/\.changelog-site\.json is damaged, or of a later version/,
      );
    }
    const folder = await builtIn(t);
    rmSync(path.join(folder, MANIFEST));
    mkdirSync(path.join(folder, MANIFEST));
    assert.match(
      await refusalOf(folder, SITE),
      /is damaged, or of a later version of this program; delete the files of the earlier build/,
    );
  });

  it('if the folder is a file, or cannot be created', async (t) => {
    const folder = path.join(temporaryFolder(t), 'site');
    writeFileSync(folder, '');
    await assert.rejects(build(folder, SITE), /^Refusal: site cannot be written \(\w+\): .* choose another/);
    await assert.rejects(
      build(path.join(folder, 'below'), SITE),
      /^Refusal: site cannot be written \(\w+\): /,
    );
    await assert.rejects(build('/proc/none/site', SITE), /^Refusal: site cannot be written \(\w+\): /);
  });

  it('if a file cannot be written', async (t) => {
    const folder = await builtIn(t);
    const versions = path.join(folder, 'versions');
    // Permissions would not stop a test that runs as root.
    const body = () => {
      rmSync(versions, { recursive: true });
      writeFileSync(versions, 'in the way');
      return 'second';
    };
    const options = { name: 'site', sources: [], onFile: () => {} };
    await assert.rejects(
      writeFolder(folder, [['versions/2.0.html', body]], options),
      /is not writable; change its permissions or choose another/,
    );
    assert.ok(existsSync(path.join(folder, MANIFEST)));
  });
});
