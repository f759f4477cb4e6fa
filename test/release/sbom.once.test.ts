import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { Ajv } from 'ajv';
import { productionPackages, writeSbom } from '../../scripts/bundle/sbom.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const SCHEMAS = path.join(ROOT, 'node_modules/@cyclonedx/cyclonedx-library/res/schema');
const schema = (name: string) =>
  JSON.parse(readFileSync(path.join(SCHEMAS, `${name}.SNAPSHOT.schema.json`), 'utf8'));

type Sbom = {
  components: { name: string; version: string; 'bom-ref': string; hashes: unknown[]; licenses: unknown[] }[];
  dependencies: { ref: string; dependsOn: string[] }[];
};

describe('the bill of materials', () => {
  const text = writeSbom();
  const sbom = JSON.parse(text) as Sbom;

  it('is valid CycloneDX 1.6', () => {
    // Ajv knows no formats by itself. What has one that matters here has a pattern, too.
    const ajv = new Ajv({ strict: false, validateFormats: false });
    for (const name of ['spdx', 'jsf-0.82', 'cryptography-defs'])
      ajv.addSchema(schema(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`);
    const isValid = ajv.compile(schema('bom-1.6'));
    assert.ok(isValid(sbom), JSON.stringify(isValid.errors));
    assert.ok(!isValid({ ...sbom, serialNumber: 'urn:uuid:1' }));
    assert.ok(
      !isValid({ ...sbom, components: [{ ...sbom.components[0], licenses: [{ license: { id: 'X' } }] }] }),
    );
  });

  it('has every production package with its hash and licence, and no other', () => {
    const folders = Object.keys(productionPackages()).slice(1);
    assert.ok(folders.length > 50);
    assert.deepEqual(
      sbom.components.map((each) => each['bom-ref']),
      folders,
    );
    for (const { name, hashes, licenses } of sbom.components)
      assert.ok(hashes.length + licenses.length === 2, name);
    assert.ok(!text.includes('typescript'));
  });

  it('every package is reached from ours, and the nearest version counts', () => {
    const requires = new Map(sbom.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
    const reached = new Set(['changelog-read-api']);
    for (const ref of reached) for (const next of requires.get(ref) ?? []) reached.add(next);
    assert.deepEqual(
      sbom.components.map((each) => each['bom-ref']).filter((ref) => !reached.has(ref)),
      [],
    );
    const nested = JSON.parse(
      writeSbom({
        '': { name: 'own', version: '1.0.0', dependencies: { '@s/a': '1', b: '1' } },
        'node_modules/@s/a': { version: '1.0.0', dependencies: { b: '2', c: '1' } },
        'node_modules/@s/a/node_modules/b': { version: '2.0.0', dependencies: { c: '1' } },
        'node_modules/b': { version: '1.0.0' },
        'node_modules/c': { version: '1.0.0' },
      }),
    ) as Sbom;
    assert.deepEqual(
      nested.dependencies.map(({ dependsOn }) => dependsOn),
      [
        ['node_modules/@s/a', 'node_modules/b'],
        ['node_modules/@s/a/node_modules/b', 'node_modules/c'],
        ['node_modules/c'],
        [],
        [],
      ],
    );
  });

  it('the same lockfile gives the same bytes, and another one another serial number', () => {
    assert.equal(writeSbom(), text);
    const { '': own, ...others } = productionPackages();
    const less = JSON.parse(
      writeSbom({
        '': own as NonNullable<typeof own>,
        ...Object.fromEntries(Object.entries(others).slice(1)),
      }),
    );
    assert.notEqual(less.serialNumber, JSON.parse(text).serialNumber);
  });
});
