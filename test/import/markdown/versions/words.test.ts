import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  isAmbiguous,
  isPhrase,
  isUnreleasedRemark,
  mayBeUnreleased,
  saysNothing,
  saysPlanned,
  saysUnreleased,
  startsAsUnreleased,
  unreleasedNameAtStart,
  withoutUnreleasedName,
} from '../../../../src/import/markdown/versions/words.ts';

describe('names of what is not released', () => {
  it('a name at the start is found with the words that belong to it', () => {
    assert.equal(unreleasedNameAtStart('Unreleased changes'), 'Unreleased changes');
    assert.equal(unreleasedNameAtStart('Next release - TBD'), 'Next release');
    for (const text of ['Nextcloud 2.0', 'Rocket', 'main-stage'])
      assert.equal(unreleasedNameAtStart(text), null, text);
  });

  it('some names say it wherever they are, others may be sections', () => {
    for (const text of ['WIP', 'TBD', 'Not yet released', 'vNext']) {
      assert.equal(saysUnreleased(text), true, text);
      assert.equal(isAmbiguous(text), false, text);
    }
    for (const text of ['Main', 'next', 'on master', 'Upcoming release']) {
      assert.equal(saysUnreleased(text), false, text);
      assert.equal(isAmbiguous(text), true, text);
    }
  });

  it('the fast check lets every name through', () => {
    for (const text of ['[Unreleased]', 'WIP', 'Main', 'coming soon', 'To be announced', 'tip'])
      assert.equal(mayBeUnreleased(text), true, text);
    assert.equal(mayBeUnreleased('Features'), false);
  });

  it('a name before a number is removed, unless it may be a product', () => {
    assert.equal(withoutUnreleasedName('Upcoming 2.0.0'), '2.0.0');
    assert.equal(withoutUnreleasedName('Unreleased: v2.0'), 'v2.0');
    assert.equal(withoutUnreleasedName('Next 2.0.0'), 'Next 2.0.0');
  });

  it('remarks and plans behind a label are recognised', () => {
    for (const text of ['draft', 'planned', 'unreleased', 'next'])
      assert.equal(isUnreleasedRemark(text), true, text);
    assert.equal(isUnreleasedRemark('Slam Dunk'), false);
    for (const text of ['Planned for', 'ETA:', 'expected release date'])
      assert.equal(saysPlanned(text), true, text);
    assert.equal(saysPlanned('Released on'), false);
    assert.equal(startsAsUnreleased('TBD, in May'), true);
    assert.equal(startsAsUnreleased('TBD in May'), false);
  });
});

describe('words of a heading', () => {
  it('names are told from sentences', () => {
    for (const name of ['Rocket', 'Rocket Launcher', 'Slam Dunk', ''])
      assert.equal(isPhrase(name), false, name);
    for (const phrase of ['Upgrading to', 'What is this?', 'one two three four five', 'Breaking: Rocket'])
      assert.equal(isPhrase(phrase), true, phrase);
  });

  it('words that add nothing to a label are recognised', () => {
    for (const words of ['Changes', 'release notes', 'ChangeLog'])
      assert.equal(saysNothing(words), true, words);
    for (const words of ['Rocket', 'Changes in Rocket']) assert.equal(saysNothing(words), false, words);
  });
});
