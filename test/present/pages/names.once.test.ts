import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { afterName, titleWithin } from '../../../src/present/pages/product-pages.ts';

const ENGLISH = { tag: 'en' };

describe('names that are read together', () => {
  for (const [before, name, expected] of [
    ['Acme', 'Rocket', 'Rocket'],
    ['Acme', 'Acme Rocket', 'Rocket'],
    ['ACME', 'acme rocket', 'rocket'],
    ['Acme', 'Acme: Rocket', 'Rocket'],
    ['Acme', 'Acme – Rocket', 'Rocket'],
    ['Acme Labs', 'Acme Labs Rocket', 'Rocket'],
    ['Acme', 'Acme iOS app', 'iOS app'],
    ['Acme', 'Acme', ''],
    ['Acme', 'Acmeist', 'Acmeist'],
    ['C', 'C++ tools', 'C++ tools'],
    ['Acme', 'Rocket by  Acme', 'Rocket by  Acme'],
    ['火箭', '火箭更新日志', '火箭更新日志'],
    ['', '', ''],
  ] as const)
    it(`${before} / ${name} is ${before} / ${expected}`, () => {
      assert.equal(afterName(before, name, ENGLISH), expected);
    });

  for (const [title, of, expected] of [
    ['Rocket 2.0', 'Rocket changelog', 'Rocket 2.0 · Changelog'],
    ['2.0: Faster launches', 'Rocket changelog', '2.0: Faster launches · Rocket changelog'],
    ['Rocket changelog', 'Acme', 'Rocket changelog · Acme'],
    ['Acme Rocket changelog', 'Acme', 'Acme Rocket changelog'],
  ] as const)
    it(`${title}, of ${of}, is “${expected}”`, () => {
      assert.equal(titleWithin(title, of, ENGLISH), expected);
    });

  it('begin with a capital of their own language', () => {
    assert.equal(afterName('Roket', 'Roket için notlar', { tag: 'tr' }), 'İçin notlar');
  });
});
