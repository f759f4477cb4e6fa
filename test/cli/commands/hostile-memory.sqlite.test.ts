// Invalid documents of 31 MB, some of which would make a parser use gigabytes.
import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { watchPeak } from '../../../support/processes/usage.ts';
import { spawnProgram } from '../../../support/program/process.ts';
import { sandboxWithoutDatabase } from '../helpers.ts';

const LARGE_BYTES = 31 * 1024 * 1024;
/** Just below the size from which documents are streamed, where parsers use the most memory. */
const HEAVY_BYTES = 1_100_000;
const PEAK_MB_MAX = 450;

const fill = (unit: string, bytes: number) => unit.repeat(Math.floor(bytes / unit.length));
const TEAM = 'team: { slug: acme, name: Acme }\n';
const VERSION = `${TEAM}products:
  - slug: rocket
    name: Rocket
    changelog:
      versions:
        - version: 1.0.0
          title: First
`;
const JSON_VERSIONS =
  '{"team":{"slug":"acme","name":"Acme"},"products":[{"slug":"rocket","name":"Rocket","changelog":{"versions":[';

/** The content of the file, its name, and the expected message. */
const INVALID: readonly (readonly [what: string, file: string, text: () => string, said: RegExp])[] = [
  [
    'a list of millions in a field that there is not',
    'a.yaml',
    () => `${TEAM}zzz:\n${fill('- 1\n', LARGE_BYTES)}`,
    /a\.yaml:\d+: the document without its versions exceeds 16 MiB; split it up\./,
  ],
  [
    'all versions on one line',
    'a.yaml',
    () => `${TEAM}products: [${fill('{slug: p, name: P},', LARGE_BYTES)}]\n`,
    /a\.yaml:2: the document without its versions exceeds 16 MiB; split it up\./,
  ],
  [
    'millions of aliases of a version',
    'a.yaml',
    () => `${VERSION.replace('- version', '- &x\n          version')}${fill('        - *x\n', LARGE_BYTES)}`,
    /a\.yaml:10: alias refers to an anchor in another part.* \(A large document must be JSON, or YAML with one field per line/,
  ],
  [
    'millions of wrong changes in a version',
    'a.json',
    () => `${JSON_VERSIONS}{"version":"1.0.0","title":"First","changes":[${fill('1,', LARGE_BYTES)}1]}]}}]}`,
    /a\.json:1: a version exceeds 16 MiB; shorten it\./,
  ],
  [
    'an unknown field that is as heavy as may be',
    'a.yaml',
    () => `${TEAM}# ${fill('x', HEAVY_BYTES)}\nzzz: [${fill('1,', HEAVY_BYTES)}]\n`,
    /a\.yaml:3: zzz: unknown field "zzz"/,
  ],
];

describe('a large invalid document', () => {
  for (const [what, file, text, said] of INVALID) {
    it(`rejecting a large document takes little memory and time: ${what}`, async (t) => {
      const sandbox = sandboxWithoutDatabase(t);
      writeFileSync(path.join(sandbox.folder, file), text());
      const { child, exited, output } = await spawnProgram(t, sandbox, ['apply', file]);
      const peakMb = watchPeak(child.pid, exited);
      assert.deepEqual(await exited, { code: 1, signal: null });
      assert.match(output().stderr, said);
      assert.ok((await peakMb) < PEAK_MB_MAX, `${await peakMb} MB`);
      assert.ok(!existsSync(path.join(sandbox.folder, 'data')));
    });
  }
});
