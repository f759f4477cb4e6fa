// Compares docs/security-posture.md with the repository.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { nameOf, productionPackages } from '../../scripts/bundle/sbom.ts';
import { tableUnder } from '../support/markdown.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');
const POSTURE = read('docs/security-posture.md');
const TRACKED = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' })
  .split('\0')
  .filter((file) => file !== '');

/** Version 2026.02.19, level 1. */
const REQUIREMENTS = {
  AC: ['01.01', '02.01', '03.01', '03.02'],
  BR: ['01.01', '01.03', '03.01', '03.02', '07.01'],
  DO: ['01.01', '02.01'],
  GV: ['02.01', '03.01'],
  LE: ['02.01', '02.02', '03.01', '03.02'],
  QA: ['01.01', '01.02', '02.01', '04.01', '05.01', '05.02'],
  VM: ['02.01'],
};

/** Licences that let this package be used and passed on under its own. Ask a lawyer before adding another kind. */
const KNOWN_LICENCES = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'PSF-2.0',
];

const SECRETS = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
  /\bAKIA[0-9A-Z]{16}\b/,
  /\bgh[pousr]_[A-Za-z0-9]{36}\b/,
  /\bglpat-[\w-]{20}\b/,
  /\bnpm_[A-Za-z0-9]{36}\b/,
  /\bxox[abp]-[\w-]{20}/,
];

describe('docs/security-posture.md', () => {
  it('has every requirement of level 1 of the OpenSSF Baseline, each with a verdict', () => {
    const rows = tableUnder(POSTURE, 'Requirement');
    assert.deepEqual(
      rows.map(([requirement = '']) => requirement.split(' ')[0]),
      Object.entries(REQUIREMENTS).flatMap(([family, ids]) => ids.map((id) => `OSPS-${family}-${id}`)),
    );
    for (const [requirement = '', verdict = '', reason = ''] of rows) {
      assert.match(verdict, /^(?:Met|Not met|Host)$/, requirement);
      assert.notEqual(reason, '', requirement);
    }
  });

  it('lists all production packages by licence; each has one, of a known kind', () => {
    const packages = Object.entries(productionPackages()).slice(1);
    const kinds = packages.map(([folder, { license }]) => [nameOf(folder), license ?? 'none'] as const);
    assert.deepEqual(
      kinds.filter(([, kind]) => !KNOWN_LICENCES.includes(kind)),
      [],
    );
    const listed = tableUnder(POSTURE, 'Licence').flatMap(([kind = '', names = '']) =>
      names.split(', ').map((name) => `${name.replaceAll('`', '')}: ${kind}`),
    );
    assert.deepEqual(listed.sort(), [...new Set(kinds.map((pair) => pair.join(': ')))].sort());
  });

  it('is right about binary files: pictures, and the databases of earlier releases', () => {
    const binary = TRACKED.filter((file) => readFileSync(path.join(ROOT, file)).includes(0));
    assert.deepEqual(
      binary.filter((file) => !/^(?:docs\/[\w-]+\.png|test\/releases\/\w+\/[\w.]+\.gz)$/.test(file)),
      [],
    );
  });

  it('is right about secrets: the only one is the key of a self-signed certificate for tests', () => {
    const found = TRACKED.filter((file) => SECRETS.some((secret) => secret.test(read(file))));
    assert.deepEqual(found, ['test/hooks/self-signed.ts']);
  });

  it('is right about links: all of them are https:, except to this machine', () => {
    const links = TRACKED.filter((file) => file.endsWith('.md')).flatMap((file) =>
      [...read(file).matchAll(/\]\((http:[^)\s]+)/g)].map(([, url]) => `${file}: ${url}`),
    );
    assert.deepEqual(
      links.filter((link) => !/http:\/\/127\.0\.0\.1:/.test(link)),
      [],
    );
  });
});
