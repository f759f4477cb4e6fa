import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readChangelog } from '../../src/import/read.ts';
import { compileHeading, NO_RULES } from '../../src/import/rules.ts';
import { deadline } from '../../support/processes/busy.ts';

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

  it('is for the lines as they are in the file, in whatever markup', () => {
    const labelsOf = (pattern: string, text: string, name = 'NEWS') => {
      const rules = { ...NO_RULES, heading: compileHeading(pattern) };
      const input = { bytes: Buffer.from(text), name: name };
      const { versions } = readChangelog(input, { format: 'auto', rules });
      const labels = Array.from(versions, ({ content }) => content.version);
      return labels;
    };
    const news = 'News\n\n=== Rocket 2.1 [2026-05-04] ===\n\n* A pad.\n\n=== Rocket 2.0 ===\n\n* All.\n';
    assert.deepEqual(labelsOf('^=+ Rocket (?<label>[0-9.]+)', news), ['2.1', '2.0']);
    const rst = 'Rocket 2.1\n==========\n\n- A pad.\n\nRocket 2.0\n==========\n\n- All.\n';
    assert.deepEqual(labelsOf('^Rocket (?<label>[0-9.]+)$', rst, 'NEWS.rst'), ['2.1', '2.0']);
    assert.throws(
      () => labelsOf('^Racket (?<label>.*)$', news),
      /NEWS:3: no heading matches --heading '\^Racket .*; the line most like one is "=== Rocket 2\.1 /,
    );
  });

  it('warns of headings that look like versions but do not match, and leaves emphasis out of titles', () => {
    const rules = { ...NO_RULES, heading: compileHeading('^\\*\\*(?<label>v[\\d.]+)') };
    const text =
      '**v1.2.0**\n\n- a\n\n**v1.1.0** - Apollo\n\n- b\n\n## 1.0.0 (2026-05-04)\n\n### Fixed\n\n- c\n';
    const input = { bytes: Buffer.from(text), name: 'NEWS.md' };
    const { versions, warnings } = readChangelog(input, { format: 'auto', rules });
    assert.deepEqual(
      Array.from(versions, ({ content }) => [content.version, content.title]),
      [
        ['v1.2.0', ''],
        ['v1.1.0', 'Apollo'],
      ],
    );
    assert.deepEqual(warnings, ['NEWS.md:9: the heading "1.0.0 (2026-05-04)" does not count as a version.']);
  });

  it('no pattern makes a line take long', () => {
    const line = `${'a'.repeat(2_000)}!`;
    for (const pattern of ['^(?<label>(?:a+)+)$', '^(?<label>(?:a|a)*)$', '(?<label>.*a.*a.*a.*a.*)x']) {
      const before = process.cpuUsage();
      assert.equal(compileHeading(pattern).exec(line), null);
      assert.ok(process.cpuUsage(before).user < deadline(500) * 1_000, pattern);
    }
  });
});
