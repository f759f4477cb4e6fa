import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseByRule } from '../../../../src/import/markdown/versions/rule.ts';

const RULE = /^Build (?<label>\d+)(?: of (?<date>\S+))?(?:, (?<title>.*))?$/;

describe('a version by an expression of the user', () => {
  it('label, date and title are the groups', () => {
    const version = parseByRule(RULE, '## Build 17 of 2026-05-04, Faster', 'Build 17 of 2026-05-04, Faster');
    assert.deepEqual(
      [version?.label, version?.date?.timestamp?.slice(0, 10), version?.title],
      ['17', '2026-05-04', 'Faster'],
    );
  });

  it('the group is the date, even if the title has another', () => {
    const version = parseByRule(RULE, 'Build 17 of 2026-05-04, As of 2020-01-01', null);
    assert.deepEqual(
      [version?.date?.timestamp?.slice(0, 10), version?.title],
      ['2026-05-04', 'As of 2020-01-01'],
    );
  });

  it('what follows the match is the title', () => {
    assert.equal(parseByRule(/^Build (?<label>\d+)/, 'Build 17 *Faster*', null)?.title, 'Faster');
  });

  it('other lines, empty labels and very long lines are no versions', () => {
    assert.equal(parseByRule(RULE, 'Features', null), null);
    assert.equal(parseByRule(/^Build(?<label>.*)$/, 'Build ', null), null);
    assert.equal(parseByRule(RULE, `Build 17, ${'x'.repeat(500)}`, null), null);
  });
});
