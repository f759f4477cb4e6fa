import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseVersionHeading } from '../../../../src/import/markdown/headings.ts';
import {
  acceptCandidates,
  addCandidate,
  type CandidateKind,
  type Candidates,
  countOf,
  isNumbered,
  isRelease,
  kindOf,
  newCandidates,
  oldestOf,
  SHOWN_MAX,
  shownHeading,
} from '../../../../src/import/markdown/versions/candidates.ts';

function parse(text: string) {
  const version = parseVersionHeading(text);
  assert.ok(version !== null, text);
  return version;
}

/** As if so many headings had been read. */
function some(kind: CandidateKind, level: number, count = 1): Candidates {
  return { ...newCandidates(kind, level), count };
}

const kinds = (accepted: readonly Candidates[]) => accepted.map(({ kind, level }) => `${kind} ${level}`);

describe('candidates', () => {
  it('a heading has the kind of what makes it a version', () => {
    const expected: [string, CandidateKind][] = [
      ['1.2.0 - 2026-05-04', 'dated'],
      ['1.2.0', 'bare'],
      ['rocket@1.2.0', 'package'],
      ['Unreleased', 'unreleased'],
      ['Main', 'ambiguous'],
    ];
    for (const [text, kind] of expected) assert.equal(kindOf(parse(text)), kind, text);
    assert.deepEqual(
      expected.map(([, kind]) => [isRelease({ kind }), isNumbered({ kind })]),
      [
        [true, true],
        [true, true],
        [true, false],
        [false, false],
        [false, false],
      ],
    );
  });

  it('counts, undated versions, the oldest date and the first headings are noted', () => {
    const candidates = newCandidates('dated', 2);
    for (const [index, text] of ['1.2.0 - 2026-05-04', '1.1.0 - 2026-01-01', '1.0.0'].entries())
      addCandidate(candidates, parse(text), index + 1, text);
    assert.deepEqual(
      [candidates.count, candidates.undated, candidates.oldest?.line, candidates.lastLine],
      [3, 1, 2, 3],
    );
    for (let line = 4; line < 40; line++) addCandidate(candidates, parse('1.0.0'), line, '1.0.0');
    assert.equal(candidates.first.length, SHOWN_MAX);
    assert.equal(shownHeading(1, 'x'.repeat(100)).text, `${'x'.repeat(80)}…`);
  });

  it('numbers down to the second level are versions, and below if they are dated or most are there', () => {
    assert.deepEqual(kinds(acceptCandidates([some('bare', 2, 3), some('bare', 3, 2)])), ['bare 2']);
    assert.deepEqual(kinds(acceptCandidates([some('bare', 2, 3), some('bare', 3, 9)])), ['bare 2', 'bare 3']);
    assert.deepEqual(kinds(acceptCandidates([some('bare', 2, 3), some('dated', 4)])), ['bare 2', 'dated 4']);
    assert.deepEqual(kinds(acceptCandidates([some('package', 3)])), ['package 3']);
  });

  it('drafts are accepted beside versions, and ambiguous names not below them', () => {
    const accepted = acceptCandidates([
      some('bare', 2),
      some('unreleased', 3),
      some('ambiguous', 2),
      some('ambiguous', 3),
    ]);
    assert.deepEqual(kinds(accepted), ['bare 2', 'unreleased 3', 'ambiguous 2']);
    assert.equal(countOf(accepted), 3);
  });

  it('the oldest version is that with the earliest date, or without dates the last', () => {
    const dated = {
      ...some('dated', 2),
      oldest: { timestamp: '2026-01-01T00:00:00.000Z', line: 4 },
      lastLine: 9,
    };
    assert.equal(oldestOf([dated]), 4);
    assert.equal(oldestOf([dated, { ...some('bare', 2), undated: 1, lastLine: 7 }]), 9);
    assert.equal(oldestOf([]), 0);
  });
});
