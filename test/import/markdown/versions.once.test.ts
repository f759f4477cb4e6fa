// Which headings of a file are versions: what one heading leaves open, the others tell.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Refusal } from '../../../src/errors.ts';
import { findVersions } from '../../../src/import/markdown/markdown.ts';
import { splitVersions } from '../../../src/import/markdown/split.ts';
import { readChangelog } from '../../../src/import/read.ts';
import { NO_RULES } from '../../../src/import/rules.ts';

describe('names around labels', () => {
  it('a name that repeats before the labels is dropped, and names the changelog', () => {
    const { told, name, warnings } = read(
      headings('Rocket v2.0.0 (2026-05-04)', 'rocket 1.9.0 - 2026-04-01', 'Rocket Version 1.8.0 ##', '1.7.0'),
    );
    assert.deepEqual(told, [
      ['v2.0.0', '2026-05-04', ''],
      ['1.9.0', '2026-04-01', ''],
      ['1.8.0', 'undated', ''],
      ['1.7.0', 'undated', ''],
    ]);
    assert.equal(name, 'Rocket');
    assert.deepEqual(warnings, [
      'C.md:1: versions named "Rocket" count as versions of the same product as the others: their labels lose the name.',
    ]);
    assert.deepEqual(read(headings('Rocket 2.0.0', 'rocket 1.9.0')).warnings, []);
    assert.deepEqual(read(headings('[Rocket 2.0.0]', '[Rocket 1.9.0] - 2026-05-04')).labels, [
      '2.0.0',
      '1.9.0',
    ]);
  });

  it('a name that the title has is dropped, even if there is one version', () => {
    assert.deepEqual(read('# Rocket Changelog\n\n## Rocket 1.0.0\n').labels, ['1.0.0']);
    assert.deepEqual(read('# Rocket 1.x Changelog\n\n## 1.1.0\n\n## 1.0.0\n').labels, ['1.1.0', '1.0.0']);
  });

  it('sections of a version name neither the changelog nor versions', () => {
    const { labels, name, warnings } = read(
      '# 5.6.0 (2026-05-04)\n\n### Python 3.9\n\n### Python 3.14\n\n# 3.9 (2025-01-01)\n\n### Python 3.9\n',
    );
    assert.deepEqual([labels, name, warnings], [['5.6.0', '3.9'], null, []]);
    assert.deepEqual(read('## 1.0.0 (2026-05-04)\n\n**Breaking changes**\n\nThe tank.\n').told, [
      ['1.0.0', '2026-05-04', ''],
    ]);
  });

  it('a name behind every label is dropped, a codename is a title', () => {
    assert.deepEqual(read(headings('1.1.0 Enterprise', '1.0.0 Enterprise')).labels, ['1.1.0', '1.0.0']);
    assert.deepEqual(read(headings('1.1.0 Slam Dunk', '1.0.0 Apollo (2026-05-04)')).told, [
      ['1.1.0', 'undated', 'Slam Dunk'],
      ['1.0.0', '2026-05-04', 'Apollo'],
    ]);
    assert.deepEqual(read(headings('1.2.0 LTS', '1.1.0', '1.0.0 LTS')).told[0], ['1.2.0', 'undated', 'LTS']);
  });

  it('two products in one file are kept apart, with a warning', () => {
    const behind = read(
      headings('2.0.2 Enterprise (2026-05-04)', '2.0.2 (2026-05-04)', '2.0.1 Enterprise', '2.0.0'),
    );
    assert.deepEqual(behind.labels, ['2.0.2 Enterprise', '2.0.2', '2.0.1 Enterprise', '2.0.0']);
    assert.deepEqual(behind.warnings, [
      'C.md:1: versions named "Enterprise" stay apart from the others: their labels keep the name.',
    ]);
    const before = read(headings('Tank 1.1.0', 'Fuse 1.1.0', 'Tank 1.0.0', 'Fuse 1.0.0'));
    assert.deepEqual(before.labels, ['Tank 1.1.0', 'Fuse 1.1.0', 'Tank 1.0.0', 'Fuse 1.0.0']);
    assert.equal(before.warnings.length, 2);
    const mixed = ['Tank 2.0.0', 'Fuse 1.1.0', 'Tank 1.9.0', 'Fuse 1.0.0'];
    assert.deepEqual(read(headings(...mixed)).labels, mixed);
    const renamed = read(headings('Rocket 2.1.0', 'Rocket 2.0.0', 'Tank 1.1.0', 'Tank 1.0.0'));
    assert.deepEqual(renamed.labels, ['2.1.0', '2.0.0', '1.1.0', '1.0.0']);
    const packages = ['@acme/tank 1.0.0', '@acme/fuse 1.0.0', '@acme/tank 0.9.0'];
    assert.deepEqual(read(headings(...packages)).labels, packages);
  });

  it('sentences that mention a version are not versions, however often they repeat', () => {
    const { labels } = read(
      '# v2.0\n\n## Upgrading to 2.0\n\n## Downloads for v2.0\n\n# v1.0\n\n## Upgrading to 1.0\n\n## Downloads for v1.0\n\n## Node.js 20 support\n',
    );
    assert.deepEqual(labels, ['v2.0', 'v1.0']);
    assert.deepEqual(read(headings('Changes in 1.1.0', 'Changes in version 1.0.0')).labels, [
      '1.1.0',
      '1.0.0',
    ]);
  });

  it('the versions of parts are sections of a release', () => {
    const { labels } = read(
      '## Rocket 2.0.0\n\n### Tank 1.1.0\n\n- a\n\n### tank@1.1.0\n\n- b\n\n## Rocket 1.0.0\n\n### Tank 1.0.0\n\n- c\n\n### TypeScript 4.9\n\n- d\n',
    );
    assert.deepEqual(labels, ['2.0.0', '1.0.0']);
  });

  it('the date may be first', () => {
    const { told } = read(
      headings(
        "2026-05-04, Version 2.0.0 'Iron' (LTS), @x",
        '2026-04-01, Rocket Version 1.0.0',
        '2026-03-01, Rocket Version 0.9.0',
      ),
    );
    assert.deepEqual(told, [
      ['2.0.0', '2026-05-04', "'Iron' (LTS), @x"],
      ['1.0.0', '2026-04-01', ''],
      ['0.9.0', '2026-03-01', ''],
    ]);
  });
});

describe('levels of headings', () => {
  it('a heading for several versions is not one', () => {
    const { told, description } = read(
      '# Rocket\n\n## 2.x\n\n### 2.1.0\n\n- a\n\n## Rocket 1.1\n\nOn [1.1].\n\n### 1.1.1 (2026-01-02)\n\n- b\n\n## Rocket 1.0\n\n### 1.0.0 (2026-01-01)\n\n- c\n',
    );
    assert.deepEqual(
      told.map(([label]) => label),
      ['2.1.0', '1.1.1', '1.0.0'],
    );
    assert.match(description, /On \[1\.1\]\./);
  });

  it('versions without dates are read beside dated ones of the same level, and dated ones at any level', () => {
    const { labels } = read(
      '## 3.0.0\n\n### 2.1.0 (2026-01-02)\n\n### 2.0.0 (2026-01-01)\n\n### 1.0.0\n\n#### 1.0.0-rc.1 (2025-01-01)\n',
    );
    assert.deepEqual(labels, ['3.0.0', '2.1.0', '2.0.0', '1.0.0', '1.0.0-rc.1']);
  });

  it('a version that is repeated below its heading is one version, with what both tell', () => {
    const text =
      '## v1.9.0\n\nIntro.\n\n### v1.9.0 (2026-05-04) Changes\n\n- a\n\n## v1.8.0\n\n### 1.8.0 - 2026-04-01 - Fuses\n\n- b\n';
    assert.deepEqual(read(text).told, [
      ['v1.9.0', '2026-05-04', ''],
      ['v1.8.0', '2026-04-01', 'Fuses'],
    ]);
    const named = read(
      'About.\n\n## Rocket 2.0.0\n\n- a\n\n### Rocket (2.0.0)\n\n- b\n\n### Tank 2.0.0\n\n- c\n',
    );
    assert.deepEqual(named.changes, [['other a', 'other b', 'other **Tank 2.0.0:** c']]);
    assert.equal(named.description, 'About.');
  });

  it('all duplicates are rejected at once, with their lines', () => {
    assert.throws(
      () => read(headings('1.1.0', '1.0.0', '1.1.0', '1.0.0 (2026-05-04)')),
      refusal(
        'C.md:5: duplicate version "1.1.0" (also on line 1), "1.0.0" (also on line 3) on line 7; rename one of each or use --merge-duplicates.',
      ),
    );
  });

  for (const [over, under] of [
    ['=', '-'],
    ['-', '-'],
    ['-', '='],
    ['=', '='],
  ] as const)
    it(`underlined headings are sections inside of versions: ${over} over ${under}`, () => {
      const line = (text: string, mark: string) => `${text}\n${mark.repeat(text.length)}\n\n`;
      const { changes, description } = read(
        `${line('Version 1.1.0 (2026-05-04)', over)}${line('Added', under)}- a\n\n${line('Version 1.0.0 (2026-05-01)', over)}${line('Fixed', under)}- b\n`,
      );
      assert.deepEqual(changes, [['added a'], ['fixed b']]);
      assert.equal(description, '');
    });

  it('underlined names of a project are sections, lines of dashes under a text are not', () => {
    const { changes } = read(
      'Version 1.0.0 (2026-05-04)\n===\n\nLanguage\n--------\n\n- a\n\nStable Interfaces\n----------------------\n\n- b\n\nThis is a sentence.\n---\n\nMore.\n',
    );
    assert.deepEqual(changes, [['other **Language:** a', 'other **Stable Interfaces:** b']]);
  });
});

it('a link behind the label keeps its text, unless that only says what it is', () => {
  const { descriptions } = read(
    '# Changelog\n\n## 1.1.0 [See discussion](https://x.example/1)\n\n## 1.0.0 [diff](https://x.example/2)\n',
  );
  assert.deepEqual(descriptions, [
    '[See discussion](https://x.example/1)',
    '[Release page](https://x.example/2)',
  ]);
});

describe('what is not released yet', () => {
  it('is a draft under any of its names, above or beside the versions', () => {
    for (const name of [
      'Main',
      'Coming soon!',
      'Next',
      '[WIP]',
      'Rocket (unreleased)',
      '[main (unreleased)](x)',
    ])
      for (const hashes of ['#', '##']) {
        const text = `# Changelog\n\n${hashes} ${name}\n\n- secret\n\n## Rocket 1.1.0 (2026-05-04)\n\n- a\n\n## Rocket 1.0.0 (2026-05-01)\n`;
        const { told, public: texts } = read(text);
        assert.equal(told.length, 3, name);
        assert.equal(told[0]?.[1], 'draft', name);
        assert.ok(!texts.includes('secret'), name);
      }
  });

  it('is not a section with the same name', () => {
    assert.deepEqual(read('# 1.0.0 (2026-05-04)\n\n## Main\n\n- a\n\n## Next\n\n- b\n').labels, ['1.0.0']);
    assert.deepEqual(read('# Next\n\n## 1.0.0\n').labels, ['1.0.0']);
  });
});

describe('headings that were not read', () => {
  const some = (count: number) => headings(...Array.from({ length: count }, (_, index) => `1.${index}.0`));

  it('are rejected if they outnumber a tenth of the versions, with the first five and an option', () => {
    assert.throws(
      () => read(some(9) + headings('~2.0~')),
      refusal(
        `C.md:19: 1 heading looks like a version but does not count as one, while 9 do: "~2.0~" (line 19); say which headings are versions with --heading '^(?:~)?\\[?(?<label>v?\\d+\\.\\d[\\w.+-]*)'.`,
      ),
    );
    assert.throws(
      () => read(some(9) + headings(...['~2.0', '~2.1', '~2.2', '~2.3', '~2.4', '~2.5', '~2.6'])),
      /^Refusal: C\.md:19: 7 headings look like versions but do not count as one, while 9 do: "~2\.0" \(line 19\), .*"~2\.4" \(line 27\), … and 2 more; say which headings are versions with /,
    );
  });

  it('may be in a version with more than half of the file, and the warning names a command that shows them', () => {
    assert.deepEqual(read(`${some(4)}${'A long text.\n'.repeat(200)}`).warnings, [
      'C.md:7: version 1.3.0 has more than half of the file; if other versions are in it, `changelog import --explain FILE` shows how each heading is read.',
    ]);
  });

  it('are warned of if they are few, and all are counted', () => {
    assert.deepEqual(read(headings('~2.0') + some(10)).warnings, [
      'C.md:1: the heading "~2.0" does not count as a version.',
    ]);
    assert.deepEqual(read(some(10) + headings('~2.0')).warnings, [
      'C.md:21: the heading "~2.0" does not count as a version.',
    ]);
    const { warnings } = read(
      some(10) + headings(...Array.from({ length: 25 }, (_, index) => `About 2.${index} and before`)),
    );
    assert.equal(warnings.length, 21);
    assert.equal(warnings[20], 'C.md: … and 5 more such headings.');
  });

  it('may also be lines that are not headings, or too deep', () => {
    assert.throws(() => read(`${some(3)}\n**1.9.0**\n\nText.\n`), /1 heading looks like .*\(line 8\)/);
    assert.throws(
      () => read(`${some(3)}\n1.9.0 (2026-05-04)\n\n* Text.\n`),
      /1 heading looks like .*\(line 8\)/,
    );
    assert.throws(() => read(`${some(3)}\n#### 1.9.0\n\n- Text.\n`), /1 heading looks like .*\(line 8\)/);
    assert.equal(read(`${some(3)}\n\`\`\`\n## ~2.0\n\n1.9.0 (2026-05-04)\n\`\`\`\n`).labels.length, 3);
  });

  it('may be hidden by a code block or comment that is never closed', () => {
    for (const begin of ['```', '<!--'])
      assert.throws(
        () => read(`${some(3)}${begin}\n\n${some(2)}`),
        refusal(
          'C.md:7: this code block or comment is never closed and hides 2 version headings; add the line that closes it.',
        ),
      );
    assert.equal(read(`${some(3)}<!--\n\n${some(2)}-->\n`).labels.length, 3);
  });

  it('the line that is most like a version is quoted if there are none', () => {
    assert.throws(
      () => read('Rocket\n======\n\nWorks with 2.0.\n\n * 1.0.0 (2026-05-04)\n\nSee 1.0.\n'),
      /^Refusal: C\.md:6: no version headings such as `## \[1\.2\.0\] - 2026-05-04` found; the line most like one is "\* 1\.0\.0 \(2026-05-04\)"; .*keep-a-changelog, conventional, changesets, github-releases, .*--heading/,
    );
  });
});

describe('the rule of a user', () => {
  const labelled = (rule: RegExp, text: string) => {
    const { found, choice } = findVersions(text.split('\n'), {
      isOwnFormat: false,
      rules: { ...NO_RULES, heading: rule },
    });
    return splitVersions(found, choice, 'C.md').map(({ heading, lines: body }) =>
      [
        heading?.label ?? '',
        heading?.date?.timestamp?.slice(0, 10) ?? '',
        heading?.title ?? '',
        body.join(''),
      ].join('|'),
    );
  };

  it('decides alone which headings and lines are versions', () => {
    assert.deepEqual(
      labelled(
        /^build (?<label>\d+)(?: of (?<date>\S+))?(?: called (?<title>.+))?/,
        '# Rocket\n## build 12 of 2026-05-04 called Apollo\na\n## 1.0.0\nbuild 11 (4 May 2026) late\n```\nbuild 10\n```\n',
      ),
      ['|||# Rocket', '12|2026-05-04|Apollo|a## 1.0.0', '11|2026-05-04|late|```build 10```'],
    );
  });

  it('the date is the group, whatever the title has', () => {
    assert.deepEqual(
      labelled(
        /^(?<label>\S+) of (?<date>[^:]+): (?<title>.*)$/,
        '## 2.0 of 4 May 2026: Since 2025-01-01\n## 1.0 of May 2026: First\n',
      ),
      ['|||', '2.0|2026-05-04|Since 2025-01-01|', '1.0||First May 2026|'],
    );
  });

  it('may match the whole line', () => {
    assert.deepEqual(labelled(/^=== (?<label>\S+)/, '=== one\n=== two'), ['|||', 'one|||', 'two|||']);
    assert.throws(
      () =>
        readChangelog(
          { bytes: Buffer.from('## 1.0.0\n'), name: 'C.md' },
          { format: 'auto', rules: { ...NO_RULES, heading: /^=== (?<label>\S+)/ } },
        ),
      /^Refusal: C\.md:1: no heading matches --heading '\^=== .*'; the line most like one is "## 1\.0\.0"; /,
    );
  });
});

function headings(...texts: readonly string[]): string {
  return texts.map((text) => `## ${text}\n\n`).join('');
}

function read(text: string) {
  const { name, description, versions, warnings } = readChangelog(
    { bytes: Buffer.from(text), name: 'C.md' },
    {
      format: 'auto',
    },
  );
  const all = [...versions];
  return {
    name,
    warnings,
    labels: all.map(({ content }) => content.version),
    told: all.map(({ content, isDated }) => [
      content.version,
      content.publishedAt?.slice(0, 10) ?? (isDated ? content.status : 'undated'),
      content.title,
    ]),
    changes: all.map(({ content }) => content.changes.map((change) => `${change.type} ${change.text}`)),
    descriptions: all.map(({ content }) => content.description),
    description: description ?? '',
    public: JSON.stringify(all.filter(({ content }) => content.status === 'published')),
  };
}

function refusal(message: string): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof Refusal, String(error));
    assert.equal(error.message, message);
    return true;
  };
}
