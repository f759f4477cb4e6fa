// Users' databases were created with the released steps, so a step never changes after its release.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import type { Step } from '../../../src/store/migrate/step.ts';
import { STEPS } from '../../../src/store/migrate/steps.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../../src/store/migrate');
const FILES = globSync('[0-9]*.ts', { cwd: FOLDER }).sort();

/** Checksums of the name and the SQL of both engines; comments may change. */
const RELEASED: readonly (readonly [name: string, checksum: string])[] = [
  ['0001_content_and_keys', '1abb3380361e3ec50a27b3da81fcd85c7da2f7b8c527eedb604457d394dbf2b4'],
  ['0002_revisions', '20d05a902d8632d83de6152def9f0ce384abeccd53e9ef5a120ac6109506805e'],
  ['0003_key_usage', 'c2a1d58b6209c7eb3777fc820648f78e96d16e6e54048d92f10a46983de9d115'],
  ['0004_change_counts', '363ac6b3bbce1ccb8d468fdc70c89c92c65612d0212e2fa86d2fc68172497a1b'],
  ['0005_version_facts', 'a50d06a7f6b3821a3be90faefca26503741684aaf744382a9ee438d9b3aa2798'],
  ['0006_import_marks', 'a30bd3d0d47860cf6a1dd1585c301fc1ed2b9da3beb859f550cd08676443b4db'],
  ['0007_public_rows', '584f3e12615da5823ccd08edd2919b7295cca87f8324f443d8893500de924f76'],
  ['0008_fixed_letters', '8f0f30b8eae19f5de2a125fb4416bb2decd71e4e4bd74adecf8dd4f9626932cc'],
  ['0009_pages', '0fc691261eaadf59822353f87a432c7a68bb3cd599c25c0a00c9a96e086f50bd'],
  ['0010_update_times', 'ce2f100a74267749d4926a520115c0791f0fccc9a377d6c98871b32b2e86279e'],
  ['0011_listed_versions', '145c4a5894fb849f73840f185f0b2d9caf58c6cae6a3781e655460f1c00f798d'],
  ['0012_schedule', 'd3f6375bcb2f86a5a304fcd1c45c44d40729563abc7aa8932fb238a84ccee5b4'],
  ['0013_kept_words', '06a6cde6c59fff6acbcf11322ec2a12114446670ac902a688ad15d16505d3fb5'],
];

function checksumOf({ name, sqlite, postgres }: Step): string {
  return createHash('sha256')
    .update(JSON.stringify([name, sqlite, postgres]))
    .digest('hex');
}

describe('schema steps', () => {
  it('released schema steps are unchanged and in order', () => {
    for (const [index, [name, checksum]] of RELEASED.entries()) {
      const step = STEPS[index];
      assert.ok(
        step?.name === name && checksumOf(step) === checksum,
        `${name} has changed since its release; restore it and add a new step (see CONTRIBUTING.md)`,
      );
    }
    for (const step of STEPS.slice(RELEASED.length))
      assert.fail(`add ['${step.name}', '${checksumOf(step)}'] to RELEASED in this test`);
  });

  it('each schema step is in a file with its name and number', () => {
    assert.deepEqual(
      FILES,
      STEPS.map(({ name }) => `${name.replaceAll('_', '-')}.ts`),
    );
    for (const [index, { name }] of STEPS.entries())
      assert.equal(name.slice(0, 5), `${String(index + 1).padStart(4, '0')}_`);
  });

  for (const file of FILES) {
    it(`${file} is literal SQL that depends on nothing else`, () => {
      const text = readFileSync(path.join(FOLDER, file), 'utf8');
      assert.ok(!text.includes('${'), 'a template string of a step must not interpolate');
      const code = text
        .replaceAll(/^\/\*.*?\*\/$|^ *\/\/.*?$/gms, '')
        .replaceAll(/`(?:[^`\\]|\\.)*`/gs, "''");
      assert.match(
        code.replaceAll(/\s/g, ''),
        /^importtype\{Step\}from'\.\/step\.ts';exportconst\w+:Step=\{name:'\w+',sqlite:\[(?:'',)*\],postgres:\[(?:'',)*\],\};$/,
        'a step is a name and two lists of template strings, and imports only the type of a step',
      );
    });
  }
});
