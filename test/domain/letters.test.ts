import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { classOf } from '../../src/domain/feed-query.ts';
import letters from '../../src/domain/letters.json' with { type: 'json' };

const UNICODE_VERSION = 17;
const CODE_POINTS = 0x110000;

/** Each class in Unicode's terms; every Node.js has its own version of Unicode. */
const DEFINITIONS = {
  spaced: [
    letters.spaced,
    /(?![\u10a0-\u10ff\u13a0-\u13ff\u1c90-\u1cbf\u3005\u3031-\u3035\u303b\u309d-\u309e\u30fc-\u30fe\uff70\uff9e-\uff9f])[\p{Lu}\p{Ll}\p{Lt}\p{Lm}\p{N}]/u,
  ],
  unspaced: [
    letters.unspaced,
    /(?![\0-\u058f])\p{Lo}|[\u10a0-\u10ff\u13a0-\u13ff\u1c90-\u1cbf\u3005\u3031-\u3035\u303b\u309d-\u309e\u30fc-\u30fe\uff70\uff9e-\uff9f]/u,
  ],
  marks: [letters.marks, /\p{M}/u],
} as const;

describe('the letters of words', () => {
  for (const [name, [ranges, definition]] of Object.entries(DEFINITIONS)) {
    it(`the letters are those of Unicode ${UNICODE_VERSION} in ${name}, on any Node.js`, () => {
      const listed = new RegExp(`[${classOf(ranges)}]`, 'u');
      const isLater = Number(process.versions.unicode) > UNICODE_VERSION;
      for (let code = 0; code < CODE_POINTS; code++) {
        const character = String.fromCodePoint(code);
        if (listed.test(character) === definition.test(character)) continue;
        assert.ok(
          isLater ? !listed.test(character) : /\p{Cn}/u.test(character),
          `U+${code.toString(16)} is assigned, and ${name} disagrees`,
        );
      }
    });
  }
});
