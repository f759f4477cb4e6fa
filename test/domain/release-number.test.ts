import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { idPattern } from '../../src/domain/model.ts';
import { releaseNumber } from '../../src/domain/release-number.ts';
import { newId } from '../../src/store/write/ids.ts';

it('a random id has the number of its last digits', () => {
  assert.equal(releaseNumber(`ver_${'f'.repeat(19)}${'0'.repeat(12)}a`), 10);
  assert.equal(releaseNumber(`ver_${'f'.repeat(32)}`), 2 ** 52 - 1);
  for (let count = 0; count < 100; count++) {
    const id = newId('version');
    assert.ok(id.endsWith(releaseNumber(id).toString(16).padStart(13, '0')), id);
  }
});

it('any other id has a number that no random id has, which never changes', () => {
  assert.equal(releaseNumber('ver_210'), 4_730_989_798_658_806);
  fc.assert(
    fc.property(fc.stringMatching(new RegExp(idPattern('version'))), (id) => {
      const number = releaseNumber(id);
      assert.ok(Number.isSafeInteger(number) && number > 0);
      assert.equal(number >= 2 ** 52, !/^ver_[0-9a-f]{32}$/.test(id));
    }),
  );
});
