// The packages of a release and the site of our own changelog, made as the workflows do.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { writeSbom } from '../../scripts/bundle/sbom.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const PACKAGES = ['changelog-read-api', 'changelog-read-client'];
const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));

/** On the same file system, so that the dependencies can be links. */
mkdirSync(path.join(ROOT, '.cache'), { recursive: true });
const FOLDER = mkdtempSync(path.join(ROOT, '.cache/packed-'));
after(() => rmSync(FOLDER, { recursive: true }));

/** What git knows of this checkout, with the dependencies, packed in another folder. */
function pack(name: string, umask: string, environment: Record<string, string>): string {
  const copy = path.join(FOLDER, name);
  mkdirSync(copy, { recursive: true });
  const listed = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' });
  for (const file of listed.split('\0').filter((each) => /^(?!test\/|docs\/|proofs\/|bench\/)./.test(each))) {
    cpSync(path.join(ROOT, file), path.join(copy, file));
    utimesSync(path.join(copy, file), name.length, name.length);
  }
  // As that umask would have made them. The dependencies are links, and stay as they are.
  execFileSync('chmod', ['-R', umask === '002' ? 'g+w' : 'g-w', copy]);
  execFileSync('cp', ['-al', path.join(ROOT, 'node_modules'), copy]);
  execFileSync('sh', ['-c', `umask ${umask}; npm pack --silent ./client .`], {
    cwd: copy,
    env: { ...process.env, PATH: `${path.dirname(process.execPath)}:${process.env.PATH}`, ...environment },
  });
  return copy;
}

describe('npm pack', () => {
  const [one, other] = [
    pack('one', '022', { TZ: 'UTC' }),
    pack('another/folder', '002', { TZ: 'Asia/Tokyo', LC_ALL: 'C' }),
  ];
  const file = (folder: string, name: string) => path.join(folder, `${name}-${version}.tgz`);

  it('gives the same bytes in another folder, time zone, language and umask, from files of another time', () => {
    for (const name of PACKAGES)
      assert.ok(readFileSync(file(one, name)).equals(readFileSync(file(other, name))), name);
  });

  it('has the licence, the licences of what is bundled and the bill of materials, and nothing of the tests', () => {
    const listed = execFileSync('tar', ['-tzf', file(one, PACKAGES[0] ?? '')], { encoding: 'utf8' }).split(
      '\n',
    );
    for (const name of ['LICENSE', 'dist/LICENSES.txt', 'dist/sbom.cdx.json', 'bin/changelog'])
      assert.ok(listed.includes(`package/${name}`), name);
    assert.deepEqual(
      listed.filter((name) => /test|\.ts$|\.env|\/data\//.test(name)),
      [],
    );
    assert.equal(readFileSync(path.join(one, 'dist/sbom.cdx.json'), 'utf8'), writeSbom());
  });
});

describe('npm run generate site', () => {
  it('builds a site whose latest version is that of package.json, with the options that it is given', () => {
    const site = path.join(FOLDER, 'site');
    const base = 'https://acme.example/changes';
    const args = ['scripts/generate.ts', 'site', '--out', site, '--base', base];
    execFileSync(process.execPath, args, { cwd: ROOT, stdio: 'ignore' });
    assert.equal(readFileSync(path.join(site, 'latest.txt'), 'utf8'), `${version}\n`);
    assert.ok(readFileSync(path.join(site, 'sitemap.xml'), 'utf8').includes(base));
  });
});
