import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { ENCODINGS } from '../../../src/http/cache/encodings.ts';

const CONCURRENT = 4;
const MEGABYTES_MAX = 30;

/** Compresses four texts of 8 MB at once in a separate process, and prints how many megabytes its peak memory grew. */
const PROGRAM = `
  import { compress } from '${new URL('../../../src/http/cache/encodings.ts', import.meta.url)}';
  const encoding = process.argv[1];
  const pieces = Array.from({ length: 128 }, (_, piece) =>
    Buffer.from(\`{"id":"ver_\${(piece * 7_919) % 65_521}","title":"Release \${piece}"},\`.repeat(1_500)));
  const bytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
  await compress(pieces.slice(0, 1), pieces[0].length, encoding);
  const before = process.resourceUsage().maxRSS;
  await Promise.all(Array.from({ length: ${CONCURRENT} }, () => compress(pieces, bytes, encoding)));
  console.log((process.resourceUsage().maxRSS - before) / 1024);`;

describe('the memory of compression', () => {
  for (const encoding of ENCODINGS) {
    it(`${CONCURRENT} long responses at once take little memory: ${encoding}`, async () => {
      const args = ['--input-type=module', '--eval', PROGRAM, encoding];
      const { stdout } = await promisify(execFile)(process.execPath, args);
      assert.ok(Number(stdout) < MEGABYTES_MAX, `${stdout.trim()} MB`);
    });
  }
});
