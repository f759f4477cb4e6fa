import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { comparisonOf, takeComparison } from '../../src/import/comparisons.ts';

const COMPARE = 'https://github.com/acme/rocket/compare/v1...v2';
const LINE = `**Full Changelog**: ${COMPARE}`;

describe('the comparison of a version', () => {
  it('is a URL that compares two versions, wherever the code is', () => {
    for (const url of [
      COMPARE,
      'https://gitlab.com/acme/rocket/-/compare/v1...v2?from_project_id=1',
      'https://gitlab.com/acme/rocket/-/compare?from=v1&to=v2',
      'https://bitbucket.org/acme/rocket/branches/compare/v2%0Dv1',
      'http://git.rocket.example/log/?qt=range&q=v1..v2',
    ])
      assert.equal(comparisonOf(url), url);
    for (const url of [
      'https://github.com/acme/rocket/releases/tag/v2',
      'https://github.com/acme/rocket/commits/v2',
      'https://github.com/acme/compare-tool/tree/v2',
      'compare/v1...v2',
      '/acme/rocket/compare/v1...v2',
      `https://user:secret@rocket.example/compare/v1...v2`,
    ])
      assert.equal(comparisonOf(url), null, url);
  });

  it('is taken out of a description, and nothing else is', () => {
    for (const line of [
      LINE,
      `**Full Changelog**: [v1...v2](${COMPARE})`,
      `[Full changelog](${COMPARE})`,
      `**Full Changelog: ${COMPARE}**`,
      COMPARE,
    ]) {
      assert.deepEqual(takeComparison(line, null), { description: null, compare: COMPARE }, line);
      assert.deepEqual(takeComparison(`A.\n\n${line}\n\n- @b`, null), {
        description: 'A.\n\n- @b',
        compare: COMPARE,
      });
    }
    for (const text of [
      '',
      'A.',
      `See ${COMPARE} for the new engine.`,
      '**Full Changelog**: https://github.com/acme/rocket/commits/v1',
      `${COMPARE}\n${COMPARE}`,
      `\`\`\`\nA\n\n${COMPARE}\n\nB\n\`\`\``,
    ])
      assert.deepEqual(takeComparison(text, null), { description: text, compare: null }, text);
    assert.deepEqual(takeComparison(null, COMPARE), { description: null, compare: COMPARE });
  });

  it('is one: the same is dropped, and another stays in the description', () => {
    const other = LINE.replace('v1', 'v0');
    assert.deepEqual(takeComparison(`${LINE}\n\n${LINE}`, null), { description: null, compare: COMPARE });
    assert.deepEqual(takeComparison(`${other}\n\n${LINE}`, COMPARE), {
      description: other,
      compare: COMPARE,
    });
  });
});
