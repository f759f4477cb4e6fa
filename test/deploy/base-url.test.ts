import assert from 'node:assert/strict';
import { globSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { readConfig } from '../../src/config.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** They link to nothing. */
const WITHOUT_LINKS = [
  /^deploy\/(?:postgres|prometheus|grafana)\//,
  /-backup\.\w+$/,
  /^deploy\/kubernetes\/\w+\.yaml$/,
];
const FILES = ['compose.yaml', 'deploy/*/*', 'deploy/kubernetes/{base,overlays/*}/kustomization.yaml'];

describe('BASE_URL', () => {
  it('every file that deploys a server sets BASE_URL, or says how to set it, to a valid URL', () => {
    const files = globSync(FILES, { cwd: ROOT }).filter(
      (file) => statSync(path.join(ROOT, file)).isFile() && !WITHOUT_LINKS.some((other) => other.test(file)),
    );
    assert.ok(files.length > 5);
    for (const file of files) {
      if (read(file).startsWith('#!')) continue;
      const text = read(file).replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1');
      const urls = [...text.matchAll(/\bBASE_URL(?:=|\s+value:|:)\s*([^\s"'`]+)/g)].map(([, url]) => url);
      assert.ok(urls.length > 0 || /\bBASE_URL\b/.test(text), file);
      for (const url of urls) assert.ok(readConfig({ BASE_URL: url }).baseUrl, `${file}: ${url}`);
    }
  });

  it('every section of the docs that names TRUSTED_PROXIES for a proxy also names BASE_URL', () => {
    for (const [file, heading] of [
      ['docs/operations.md', 'Behind a proxy'],
      ['docs/scaling.md', 'The steps'],
      ['docs/scaling.md', 'CDN'],
    ] as const) {
      const [, section = ''] = read(file).split(`\n## ${heading}\n`);
      assert.match(section.split('\n## ')[0] ?? '', /`BASE_URL/, `${file}, ${heading}`);
    }
  });
});

function read(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8');
}
