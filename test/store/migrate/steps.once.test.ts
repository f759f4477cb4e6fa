// Users' databases were created with the released steps, so a step never changes after its release.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { STEPS, type Step } from '../../../src/store/migrate/steps.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../../src/store/migrate');
const FILES = globSync('[0-9]*{.ts,/*.ts}', { cwd: FOLDER }).sort();

/** Checksums of the name and the SQL of both engines; comments may change. */
const RELEASED: readonly (readonly [name: string, checksum: string])[] = [
  ['0001_first_schema', '3e54ff204818965e78651f150db80c614c27bebc28304f096fba78b209e9de61'],
  ['0002_breaking_and_counts', '1cb6c681b63e26b3510bec52046ca42b336e0e7ecdb1f954f11e0d14a829febf'],
  ['0003_compare_links_and_descriptions', '16026be5349ed2489b7b6bae7b42e1c62d86bade2732210d3a760552f8e510e2'],
  ['0004_repository_and_images', '47dfed15dacc72b8fa949e477c1281eb353c8d4ed591cd047a2dab1c86e87fb1'],
  ['0005_facets', '2f73bc08d81fdfb99452c6332e75875f610bb499e994ce74964e6de10dfefec3'],
  ['0006_search_by_beginnings', '152fa14ac85418e809a95c8802d28f33e4a83bbc2deba06efc9c64bd89ced591'],
  ['0007_domains', '6068a6dcd7ec15750bce4d730eec806e3613618eaacf9a46d7e162b6fa5c88d8'],
  ['0008_timeline', '429a716a52c822fd9392d4d8d5fea203e41ded9f3e1ed81eeff16b1b51bb09b4'],
  ['0009_hooks', 'b881f8ce5e4544ef56198bb7d3307a07b37c2a77033f6883b0bd96544f116444'],
  ['0010_keys_that_expire', 'b353e922de58c5b5def7627ec3529a6ad0f1eca7fbaf4a8eb6114b8e1ae00c3b'],
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

  it('each schema step is in a file or a folder with its name and number', () => {
    assert.deepEqual(
      [...new Set(FILES.map((file) => file.split(/[./]/)[0]))],
      STEPS.map(({ name }) => name.replaceAll('_', '-')),
    );
    for (const [index, { name }] of STEPS.entries())
      assert.equal(name.slice(0, 5), `${String(index + 1).padStart(4, '0')}_`);
  });

  for (const file of FILES) {
    it(`${file} depends on nothing but files of its own step and of earlier ones`, () => {
      const text = readFileSync(path.join(FOLDER, file), 'utf8');
      const imported = [...text.matchAll(/\b(?:from|import)\b\s*\(?\s*'(.*?)'/g)].map(([, name = '']) =>
        path.join(path.dirname(file), name),
      );
      const [step = ''] = file.split(/[./]/);
      for (const name of imported)
        assert.ok(/^\d{4}-/.test(name) && path.dirname(name) <= step, `${file} imports ${name}`);
      assert.doesNotMatch(text, /\b(?:process|Date|Math|globalThis)\b/);
    });
  }
});
