// R66: a CDN that purges what a write touched has nothing old, and keeps everything else.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTagger, purgedTextsOf, tagTextsOf } from '../../src/hooks/cache-tags.ts';
import { ALL_TEAMS, affects, EVERYTHING, type Origin, type Touch } from '../../src/store/engine/touches.ts';
import { keysTouch, productTouch, teamTouch } from '../support/source.ts';

/** The ids of teams and of products overlap. */
const PRODUCTS = [
  { teamId: 1, productId: 1 },
  { teamId: 1, productId: 2 },
  { teamId: 2, productId: 3 },
  { teamId: 3, productId: 12 },
  { teamId: 12, productId: 4 },
];
const TEAMS = [1, 2, 3, 12];
const ORIGINS: Origin[] = [ALL_TEAMS, ...TEAMS.map((teamId) => ({ teamId, productId: null })), ...PRODUCTS];
const TOUCHES: Touch[] = [
  EVERYTHING,
  ...TEAMS.flatMap((teamId) => [teamTouch(teamId), keysTouch(teamId)]),
  ...PRODUCTS.map(({ teamId, productId }) => productTouch(teamId, productId)),
];

const isPurged = (touches: readonly Touch[], origin: Origin) => {
  const purged = purgedTextsOf(touches);
  return tagTextsOf(origin).some((text) => purged.includes(text));
};

describe('cache tags', () => {
  it('a write purges a response if and only if it makes it out of date', () => {
    for (const origin of ORIGINS)
      for (const touch of TOUCHES)
        assert.equal(isPurged([touch], origin), affects(touch, origin), JSON.stringify([touch, origin]));
  });

  it('a response has no tag that no write purges', () => {
    const purged = TOUCHES.flatMap((touch) => purgedTextsOf([touch]));
    for (const text of ORIGINS.flatMap((origin) => tagTextsOf(origin)))
      assert.ok(purged.includes(text), text);
  });

  it('several writes purge what each of them does, each tag once', () => {
    for (const origin of ORIGINS)
      for (const first of TOUCHES)
        for (const second of TOUCHES)
          assert.equal(
            isPurged([first, second], origin),
            affects(first, origin) || affects(second, origin),
            JSON.stringify([first, second, origin]),
          );
    const purged = purgedTextsOf([productTouch(1, 1), productTouch(1, 2), teamTouch(1)]);
    assert.equal(new Set(purged).size, purged.length);
    assert.deepEqual(purgedTextsOf([...TOUCHES]), ['all']);
  });

  it('a hidden write purges nothing', () => {
    assert.deepEqual(purgedTextsOf(TOUCHES.map((touch) => ({ ...touch, isHidden: true }))), []);
    assert.deepEqual(purgedTextsOf([{ ...EVERYTHING, isHidden: true }, productTouch(1, 2)]), [
      'product 2',
      'team-lists 1',
      'lists',
    ]);
  });

  it('a tag has 16 characters that differ for each text and each instance', () => {
    const texts = [...new Set(ORIGINS.flatMap((origin) => tagTextsOf(origin)))];
    const tags = ['one', 'other'].flatMap((cursorKey) => texts.map(createTagger(cursorKey)));
    assert.equal(new Set(tags).size, 2 * texts.length);
    for (const tag of tags) assert.match(tag, /^[\w-]{16}$/);
    assert.deepEqual(texts.map(createTagger('one')), tags.slice(0, texts.length));
  });
});
