import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  ALL_TEAMS,
  affects,
  parseTouches,
  TOUCHES_MAX,
  touchesOn,
} from '../../../src/store/engine/touches.ts';

const rowOf = (teamId: number, productId: number, publicRevision = 0) => ({
  teamId,
  productId,
  publicRevision,
});

describe('touches', () => {
  it('a row of `touches` names everything, a team, its keys or a product', () => {
    assert.deepEqual(parseTouches([rowOf(0, 0), rowOf(1, 0), rowOf(1, -1), rowOf(1, 7)], 0), [
      { kind: 'everything', isHidden: true },
      { kind: 'team', teamId: 1, isHidden: true },
      { kind: 'keys', teamId: 1, isHidden: true },
      { kind: 'product', teamId: 1, productId: 7, isHidden: true },
    ]);
  });

  it('a touch is hidden unless the public surface has changed since', () => {
    const touches = parseTouches([rowOf(1, 1, 5), rowOf(1, 2, 6)], 5);
    assert.deepEqual(
      touches.map(({ isHidden }) => isHidden),
      [true, false],
    );
    assert.deepEqual(touchesOn('public', touches), touches.slice(1));
    assert.deepEqual(touchesOn('team', touches), touches);
  });

  it('too many rows become one touch of everything, hidden only if all of them are', () => {
    const rows = Array.from({ length: TOUCHES_MAX + 1 }, (_, product) => rowOf(1, product + 1));
    assert.equal(parseTouches(rows.slice(1), 0).length, TOUCHES_MAX);
    assert.deepEqual(parseTouches(rows, 0), [{ kind: 'everything', isHidden: true }]);
    assert.deepEqual(parseTouches(rows.with(3, rowOf(1, 4, 1)), 0), [
      { kind: 'everything', isHidden: false },
    ]);
  });

  it('a touch affects the responses of its product or team, and that of keys affects none', () => {
    const origin = { teamId: 1, productId: 7 };
    const affecting = [rowOf(0, 0), rowOf(1, 0), rowOf(1, 7)];
    const others = [rowOf(2, 0), rowOf(1, 8), rowOf(1, -1)];
    for (const touch of parseTouches(affecting, 0)) assert.ok(affects(touch, origin), touch.kind);
    for (const touch of parseTouches(others, 0)) assert.ok(!affects(touch, origin), touch.kind);
  });

  it('the list of a team is affected by the team and each of its products, and by no other team', () => {
    const list = { teamId: 1, productId: null };
    const affecting = [rowOf(0, 0), rowOf(1, 0), rowOf(1, 7), rowOf(1, 8)];
    const others = [rowOf(2, 0), rowOf(2, 7), rowOf(1, -1)];
    for (const touch of parseTouches(affecting, 0)) assert.ok(affects(touch, list), touch.kind);
    for (const touch of parseTouches(others, 0)) assert.ok(!affects(touch, list), touch.kind);
  });

  it('a list of everything is affected by each touch of content, and not by that of keys', () => {
    const affecting = [rowOf(0, 0), rowOf(1, 0), rowOf(2, 7)];
    for (const touch of parseTouches(affecting, 0)) assert.ok(affects(touch, ALL_TEAMS), touch.kind);
    for (const touch of parseTouches([rowOf(1, -1)], 0)) assert.ok(!affects(touch, ALL_TEAMS));
  });
});
