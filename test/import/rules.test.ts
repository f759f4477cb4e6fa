import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compileHeading } from '../../src/import/rules.ts';

describe('the pattern of --heading', () => {
  it('finds the groups', () => {
    const { groups } = compileHeading('^Release (?<label>\\S+)(?: of (?<date>[^:]+))?: (?<title>.*)$').exec(
      'Release 2.1.0 of 4 May 2026: Apollo',
    ) ?? { groups: null };
    assert.deepEqual({ ...groups }, { label: '2.1.0', date: '4 May 2026', title: 'Apollo' });
  });

  for (const [pattern, message] of [
    ['(?<label>\\d+', 'It is not a regular expression: Unterminated group.'],
    ['[', 'It is not a regular expression: Unterminated character class.'],
    ['\\d+', 'It needs a group for the label of the version, such as (?<label>\\d+\\.\\d+).'],
    ['\\(?<label>', 'It needs a group for the label of the version, such as (?<label>\\d+\\.\\d+).'],
    ['(?<version>\\d+)', 'It knows no group "version"; the groups are label, date, title.'],
    ['', 'It needs a group for the label of the version, such as (?<label>\\d+\\.\\d+).'],
    [`(?<label>${'x'.repeat(500)})`, 'It must have at most 500 characters.'],
    ...['(?<label>a)\\1', '(?!x)(?<label>\\d+)', '(?<label>(?:\\d{1,500}){1,500})'].map(
      (each) =>
        [
          each,
          'It cannot be matched in linear time: leave out lookaheads, back references and large numbers of repetitions.',
        ] as const,
    ),
  ] as const)
    it(`${JSON.stringify(pattern.slice(0, 40))} is refused`, () => {
      assert.throws(() => compileHeading(pattern), { name: 'Refusal', message });
    });

  it('no pattern makes a line take long', () => {
    const line = `${'a'.repeat(2_000)}!`;
    for (const pattern of ['^(?<label>(?:a+)+)$', '^(?<label>(?:a|a)*)$', '(?<label>.*a.*a.*a.*a.*)x']) {
      const before = process.cpuUsage();
      assert.equal(compileHeading(pattern).exec(line), null);
      assert.ok(process.cpuUsage(before).user < 500_000, pattern);
    }
  });
});
