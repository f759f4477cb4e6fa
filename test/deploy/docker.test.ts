// What can be told from the Dockerfile alone. `image.servers.slow.test.ts` builds it and runs the image.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { describe, it } from 'node:test';
import { SETTINGS } from '../../src/config.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const { ALLOCATOR } = createRequire(import.meta.url)('../../bin/launcher.cjs') as {
  ALLOCATOR: Record<string, string>;
};
const TEXT = read('deploy/docker/Dockerfile');

describe('deploy/docker/Dockerfile', () => {
  it('the Dockerfile copies only files that exist, and .dockerignore excludes all others', () => {
    const copied = [...TEXT.matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, files = '']) =>
      files.split(' '),
    );
    for (const file of copied) assert.ok(existsSync(path.join(ROOT, file)), file);
    const [first, ...others] = read('.dockerignore').trim().split('\n');
    assert.equal(first, '*');
    assert.deepEqual(others.sort(), copied.map((file) => `!${file}`).sort());
  });

  it('the default base is the official image with a Node.js version that the program supports', () => {
    const [, floor] = /NODE_MAJOR_MIN = (\d+);/.exec(read('src/main.ts')) ?? [];
    assert.deepEqual(TEXT.match(/^ARG .*$/gm), [`ARG BASE=node:${floor}-slim`, `ARG RUNTIME=\${BASE}`]);
    assert.deepEqual(TEXT.match(/^FROM .*$/gm), [`FROM \${BASE} AS build`, `FROM \${RUNTIME}`]);
  });

  it('the Dockerfile runs no install scripts, and works without BuildKit, for any architecture', () => {
    for (const [command] of TEXT.matchAll(/npm (?:ci|prune)\b.*/g))
      assert.match(command, / --ignore-scripts\b/);
    assert.doesNotMatch(TEXT, /<<|--(?:mount|chmod|link|platform)\b|\b(?:amd64|x64|arm64|aarch64)\b/);
  });

  it('the Dockerfile sets only settings that exist, and a folder for temporary files that can be written', () => {
    const words = [...TEXT.matchAll(/^ENV (.*)$/gm)].flatMap(([, line = '']) => line.split(' '));
    const environment = Object.fromEntries(words.map((word) => word.split('=')));
    const settings = Object.values(SETTINGS).map(({ variable }) => variable);
    const known = [...settings, 'TMPDIR', ...Object.keys(ALLOCATOR)];
    for (const name of Object.keys(environment)) assert.ok(known.includes(name), name);
    assert.equal(environment.TMPDIR, '/data');
    assert.partialDeepStrictEqual(environment, ALLOCATOR);
    for (const name of ['VOLUME', 'WORKDIR']) assert.match(TEXT, new RegExp(`^${name} /data$`, 'm'));
  });
});

function read(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8');
}
