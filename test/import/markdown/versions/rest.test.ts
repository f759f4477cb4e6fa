import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  PLACEHOLDER,
  restOf,
  unescapeInline,
  YANKED,
} from '../../../../src/import/markdown/versions/rest.ts';

describe('the rest of a heading', () => {
  it('date, time, weekday and punctuation are removed', () => {
    for (const tail of [
      ' - 2026-05-04',
      ' (Mon, 2026-05-04 10:30 UTC)',
      ': Released on 2026-05-04',
      ' - YYYY-MM-DD',
    ])
      assert.equal(restOf(tail), '', tail);
    assert.equal(restOf(' - 2026-05-04 - "Slam Dunk"'), 'Slam Dunk');
  });

  it('a range of dates is kept', () => {
    assert.equal(restOf(' - 2026-05-04 - 2026-11-11'), '2026-05-04 - 2026-11-11');
  });

  it('escapes and character references are resolved, and what is no character replaced', () => {
    assert.equal(unescapeInline(String.raw`1\.0 \[beta\] \x`), String.raw`1.0 [beta] \x`);
    assert.equal(unescapeInline('&#65;&#0;&#55296;&amp;'), 'A\uFFFD\uFFFD&amp;');
  });

  it('yanked versions and dates that are not set are recognised', () => {
    assert.deepEqual(YANKED.exec('2026-05-04 [YANKED: broken build]')?.[1], 'broken build');
    assert.ok(YANKED.test('(yanked)') && !YANKED.test('unyankedly'));
    for (const text of ['2026-xx-xx', '????-??-??', 'ReleaseDate']) assert.ok(PLACEHOLDER.test(text), text);
    assert.ok(!PLACEHOLDER.test('version-a-b'));
  });
});
