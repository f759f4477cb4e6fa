import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isAboutVersion, isPhrase, saysNothing } from '../../../../src/import/markdown/versions/phrases.ts';

describe('words of a heading', () => {
  it('names are told from sentences', () => {
    for (const name of ['Rocket', 'Rocket Launcher', 'Slam Dunk', ''])
      assert.equal(isPhrase(name), false, name);
    for (const phrase of ['Upgrading to', 'What is this?', 'one two three four five', 'Breaking: Rocket'])
      assert.equal(isPhrase(phrase), true, phrase);
  });

  it('words about the version itself are recognised', () => {
    for (const words of ['Changes in', 'Release notes for version', "What's new in Rocket"])
      assert.equal(isAboutVersion(words), true, words);
    for (const words of ['Migrating from', 'Rocket']) assert.equal(isAboutVersion(words), false, words);
  });

  it('words that add nothing to a label are recognised', () => {
    for (const words of ['Changes', 'release notes', 'ChangeLog'])
      assert.equal(saysNothing(words), true, words);
    for (const words of ['Rocket', 'Changes in Rocket']) assert.equal(saysNothing(words), false, words);
  });
});
