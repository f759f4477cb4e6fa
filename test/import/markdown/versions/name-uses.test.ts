import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decideNames, isNameIn } from '../../../../src/import/markdown/versions/name-uses.ts';
import { namesIn } from './headings.ts';

const NO_TITLE = { text: '', line: 0 };

/** What the words of each group are. */
function usesOf(headings: readonly string[], title = NO_TITLE) {
  const decided = decideNames([...namesIn(headings).groups], title);
  return [...decided].map(([{ before, behind }, uses]) => [before || behind, uses?.before, uses?.behind]);
}

describe('the words around labels', () => {
  it('a name that repeats is dropped', () => {
    assert.deepEqual(usesOf(['## Rocket 1.1.0', '## Rocket 1.0.0']), [['Rocket', 'drop', 'drop']]);
  });

  it('names whose labels clash are kept', () => {
    assert.deepEqual(usesOf(['## Tank 1.1.0', '## Fuse 1.1.0', '## Tank 1.0.0', '## Fuse 1.0.0']), [
      ['Tank', 'keep', 'drop'],
      ['Fuse', 'keep', 'drop'],
    ]);
  });

  it('words that differ from version to version are titles, and a name of the file is none', () => {
    const headings = ['## Better 1.1.0 - 2026-05-04', '## Faster 1.0.0 - 2026-05-03'];
    assert.deepEqual(
      usesOf(headings).map(([, before]) => before),
      ['title', 'title'],
    );
    assert.equal(usesOf(headings, { text: 'Faster changelog', line: 9 })[1]?.[1], 'drop');
  });

  it('codenames behind labels are titles without a date too', () => {
    assert.deepEqual(usesOf(['## 2.0.0 Slam Dunk', '## 1.0.0 Home Run']), [
      ['Slam Dunk', 'drop', 'codename'],
      ['Home Run', 'drop', 'codename'],
    ]);
    assert.equal(usesOf(['## 2.0.0 LTS', '## 1.0.0 LTS', '## 0.9.0'])[0]?.[2], 'codename');
  });

  it('a sentence and the title of the file are no versions', () => {
    assert.deepEqual(usesOf(['## Upgrading to 2.0.0', '## 2.0.0'])[0], [
      'Upgrading to',
      undefined,
      undefined,
    ]);
    const title = { text: 'Rocket 2.0 Changelog', line: 1 };
    assert.equal(usesOf(['# Rocket 2.0 Changelog', '## 2.0.1'], title)[0]?.[1], undefined);
  });

  it('a name begins a title as a whole word', () => {
    assert.ok(isNameIn('Rocket changelog', 'rocket') && isNameIn('Rocket', 'rocket'));
    assert.ok(!isNameIn('Rocketry', 'Rocket'));
  });
});
