import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { formatApiKey, hashApiKey, isApiKey } from '../../../src/domain/access/api-key.ts';

describe('an API key', () => {
  const key = formatApiKey(randomInt);

  it('an API key has a prefix, 32 random characters (190 bits) and a checksum', () => {
    assert.match(key, /^clk_[0-9A-Za-z]{38}$/);
    assert.ok(32 * Math.log2(62) > 160);
    assert.ok(isApiKey(key));
  });

  it('an API key’s checksum detects any single wrong character', () => {
    const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
    for (let place = 4; place < key.length; place++) {
      for (const letter of alphabet) {
        const typo = key.slice(0, place) + letter + key.slice(place + 1);
        assert.equal(isApiKey(typo), typo === key, typo);
      }
    }
  });

  it('texts of other lengths, alphabets and prefixes are not API keys', () => {
    for (const text of [
      '',
      key.slice(1),
      `${key}x`,
      key.replace('clk_', 'CLK_'),
      `${key}\n`,
      'x'.repeat(1000),
    ]) {
      assert.ok(!isApiKey(text), text);
    }
    fc.assert(fc.property(fc.string(), (text) => !isApiKey(text)));
  });

  it('an API key is stored as a digest', () => assert.match(hashApiKey(key), /^[0-9a-f]{64}$/));
});
