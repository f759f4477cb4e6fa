import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { GENERATED } from '../scripts/generated.ts';

const ROOT = path.resolve(import.meta.dirname, '..');

describe('generated files', () => {
  for (const [name, { file, write }] of Object.entries(GENERATED)) {
    it(`${file} is up to date`, async () => {
      const isCurrent = readFileSync(path.join(ROOT, file), 'utf8') === (await write());
      assert.ok(isCurrent, `${file} is not current: run \`npm run generate ${name}\``);
    });
  }
});

describe('the screenshots', () => {
  it('the screenshots of the page and the widget are pictures of at most 150 kB', () => {
    for (const name of ['page-light', 'page-dark', 'widget-light', 'widget-dark']) {
      const picture = readFileSync(path.join(ROOT, `docs/${name}.png`));
      assert.equal(picture.toString('latin1', 1, 4), 'PNG');
      assert.ok(picture.length <= 150_000, `${picture.length} bytes`);
    }
  });
});

describe('npm run generate', () => {
  it('npm run generate exits with 2 and prints the usage for an unknown name or too many', () => {
    for (const args of [['nonsense'], ['schema', 'more']]) {
      const options = { cwd: ROOT, encoding: 'utf8' } as const;
      const { status, stderr } = spawnSync(process.execPath, ['scripts/generate.ts', ...args], options);
      assert.equal(status, 2, args.join(' '));
      assert.match(stderr, /^usage: npm run generate \[.*\|site\]\n$/);
    }
  });
});
