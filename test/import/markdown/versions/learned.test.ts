import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LearnedHeadings } from '../../../../src/import/markdown/versions/learned.ts';
import { UnreadHeadings } from '../../../../src/import/markdown/versions/unread.ts';
import { headingOf, namesIn } from './headings.ts';

const NO_TITLE = { text: '', line: 0 };

function learn(headings: readonly string[], title = NO_TITLE) {
  const learned = new LearnedHeadings('CHANGELOG.md', namesIn(headings), new UnreadHeadings(), title);
  const labels = headings.map(
    (heading) => learned.parseHeading({ heading: headingOf(heading) })?.label ?? null,
  );
  return { learned, labels };
}

describe('which headings are versions', () => {
  it('a name that repeats is dropped from labels and known as the name', () => {
    const { learned, labels } = learn(['## Rocket 1.1.0', '### Added', '## Rocket 1.0.0']);
    assert.deepEqual(labels, ['1.1.0', null, '1.0.0']);
    assert.equal(learned.name, 'Rocket');
    assert.deepEqual(learned.warnings, []);
  });

  it('versions of several products keep their names, with a warning for each', () => {
    const { learned, labels } = learn(['## Tank 1.0.0', '## Fuse 1.0.0', '## Tank 0.9.0', '## Fuse 0.9.0']);
    assert.deepEqual(labels, ['Tank 1.0.0', 'Fuse 1.0.0', 'Tank 0.9.0', 'Fuse 0.9.0']);
    assert.match(
      learned.warnings[0] ?? '',
      /^CHANGELOG\.md:1: versions named "Tank" stay apart from the others/,
    );
    assert.equal(learned.warnings.length, 2);
  });

  it('a number below the versions is a section, and an error if there are few versions', () => {
    const versions = Array.from({ length: 10 }, (_, index) => `## 1.${index}.0`);
    const { learned, labels } = learn([...versions, '### 0.9']);
    assert.deepEqual([labels.at(-2), labels.at(-1)], ['1.9.0', null]);
    assert.deepEqual(learned.warnings, ['CHANGELOG.md:11: the heading "0.9" does not count as a version.']);
    assert.throws(() => learn(['## 1.1.0', '### 0.9']), /CHANGELOG\.md:2: 1 heading looks like a version/);
  });

  it('a draft loses the name of the product', () => {
    const { labels } = learn(['## Rocket (unreleased)', '## Rocket 1.1.0', '## Rocket 1.0.0']);
    assert.deepEqual(labels, ['Unreleased', '1.1.0', '1.0.0']);
  });

  it('a title such as `# Next` is not a draft of a product of that name', () => {
    const title = { text: 'Next', line: 1 };
    assert.deepEqual(learn(['# Next', '## 1.1.0', '## 1.0.0'], title).labels, [null, '1.1.0', '1.0.0']);
  });

  it('a heading below a version that repeats its label says more about it', () => {
    const { learned } = learn(['## v1.9.0', '### v1.9.0 (2021-12-31) Changes', '## v1.8.0']);
    const part = learned.parsePart(headingOf('### v1.9.0 (2021-12-31) Changes'), headingOf('## v1.9.0'));
    assert.equal(part?.date?.timestamp?.slice(0, 10), '2021-12-31');
    assert.equal(learned.parsePart(headingOf('### TypeScript 1.9.0'), headingOf('## v1.9.0')), null);
  });
});
