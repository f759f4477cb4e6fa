import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  requireMostRead,
  UnclosedBlock,
  UnreadHeadings,
  warnOfUnread,
} from '../../../../src/import/markdown/versions/unread.ts';

const FILE = 'CHANGELOG.md';

describe('headings that were not read', () => {
  it('headings with numbers and lines that are only a version are noted, by level', () => {
    const unread = new UnreadHeadings();
    unread.addHeading(2, 1, 'Rocket one 1.0');
    unread.addHeading(2, 2, 'Features');
    unread.addHeading(3, 3, 'Upgrading to 2.0');
    for (const line of ['**1.2.0**', '1.2.0 (2026-05-04)', '- 1.2.0 (2026-05-04)', '1.2.0 is out'])
      unread.addLine(4, line);
    const found = (level: number) =>
      unread.upTo(level, 2).map(({ level, isPhrase, count }) => [level, isPhrase, count]);
    assert.deepEqual(found(2), [
      [2, false, 1],
      [0, false, 2],
    ]);
    assert.deepEqual(found(3).length, 3);
  });

  it('the error without versions quotes the line that looks most like one', () => {
    const unread = new UnreadHeadings();
    assert.match(
      unread.noVersionsError(FILE, null).message,
      /^CHANGELOG\.md:1: no version headings .*--heading REGEX/,
    );
    unread.weigh(3, 'It needs at least 1.0 of it', false);
    unread.weigh(5, '1.2.0 of 2026-05-04', false);
    unread.weigh(7, 'see also 1.3', true);
    assert.match(
      unread.noVersionsError(FILE, null).message,
      /^CHANGELOG\.md:5: .*the line most like one is "1\.2\.0 of/,
    );
    assert.match(
      unread.noVersionsError(FILE, /^x/).message,
      /no heading matches --heading '\^x'.*change the expression/,
    );
  });

  it('an import fails if more than a tenth was not read, and suggests an expression; sentences do not count', () => {
    const unread = { level: 2, isPhrase: false, count: 2, first: [{ line: 4, text: 'Rocket: [1.2.0' }] };
    assert.doesNotThrow(() => requireMostRead(FILE, [unread], 20));
    assert.doesNotThrow(() => requireMostRead(FILE, [{ ...unread, isPhrase: true }], 1));
    assert.throws(
      () => requireMostRead(FILE, [unread], 19),
      /^Refusal: CHANGELOG\.md:4: 2 headings look like versions .*while 19 do: "Rocket: \[1\.2\.0" \(line 4\), … and 1 more; .*--heading '\^\(\?:Rocket: \)\?/,
    );
  });

  it('the first twenty are warned of, and the others counted', () => {
    const first = Array.from({ length: 20 }, (_, index) => ({ line: index + 1, text: `${index}.0 x` }));
    const warnings = warnOfUnread(FILE, [{ level: 2, isPhrase: true, count: 1_020, first }]);
    assert.equal(warnings[0], 'CHANGELOG.md:1: the heading "0.0 x" does not count as a version.');
    assert.equal(warnings.at(-1), 'CHANGELOG.md: … and 1,000 more such headings.');
    assert.deepEqual(warnOfUnread(FILE, []), []);
  });
});

describe('a block that never ends', () => {
  it('versions in it are an error that names its first line, unless few are', () => {
    const block = new UnclosedBlock();
    for (const [index, line] of ['```', '## 1.0.0', 'text', '## Features'].entries())
      block.take(index + 7, line);
    assert.doesNotThrow(() => block.requireFew(FILE, 10));
    assert.throws(
      () => block.requireFew(FILE, 9),
      /CHANGELOG\.md:7: .* never ends, and 1 heading of versions are in it/,
    );
    block.clear();
    assert.doesNotThrow(() => block.requireFew(FILE, 0));
  });
});
