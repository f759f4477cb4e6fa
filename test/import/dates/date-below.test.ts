import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Refusal } from '../../../src/errors.ts';
import { readChangelog } from '../../../src/import/read.ts';
import { type DateOrder, NO_RULES } from '../../../src/import/rules.ts';
import { deadline } from '../../../support/processes/busy.ts';

const CHANGE = '- A pad.';

describe('the date below the heading of a version', () => {
  for (const line of [
    '_2026-05-04_',
    '*2026-05-04*',
    '**2026-05-04**',
    '`2026-05-04`',
    '2026-05-04',
    '(2026-05-04)',
    '> 2026-05-04',
    '- 2026-05-04',
    '### 2026/05/04',
    '### May 04, 2026',
    '#### Released on Monday, May 4th, 2026',
    'Released on 2026-05-04.',
    'Released 2026-05-04',
    '_Released on May 4, 2026 10:45 UTC_',
    '- Release May 4, 2026',
    '* Release date: 4 May 2026',
    'Release Date: 2026-05-04',
    'Release-Date: 2026-05-04',
    '**Release date:** 2026-05-04',
    '**Released:** 2026-05-04  ',
    'Date: Mon May 4 10:45:52 2026',
    ':Date: May 4, 2026',
    ':Released: 2026-05-04',
    'Version 1.0.0 was released on 2026-05-04',
    '📅 2026-05-04',
    '<small>2026-05-04</small>',
    '### 2026-05-04',
    '### 2026-05-04 ###',
    '<a name="1.0.0"></a>\n_2026-05-04_',
    '<!-- 1.0.0 -->\n\n2026-05-04',
  ])
    it(`${JSON.stringify(line)} is read, and does not stay in the text`, () => {
      for (const gap of ['\n', '\n\n']) {
        const [version] = read(`## 1.0.0\n\n${line}${line.startsWith('-') ? '\n' : gap}${CHANGE}\n`);
        assert.equal(version?.publishedAt, '2026-05-04T00:00:00.000Z');
        assert.equal(version?.status, 'published');
        assert.deepEqual(
          version?.changes.map(({ text }) => text),
          ['A pad.'],
        );
        assert.doesNotMatch(version?.description ?? '', /2026|May/);
      }
    });

  for (const line of ['**Date**: [4th May 2026][m]', '_Released on [May 4, 2026](https://x.example/1)._'])
    it(`${line} is read, and stays for its link`, () => {
      const [version] = read(`## 1.0.0\n\n${line}\n\n${CHANGE}\n\n[m]: https://x.example/1\n`);
      assert.equal(version?.publishedAt, '2026-05-04T00:00:00.000Z');
      assert.match(version?.description ?? '', /4.* 2026\]\(https:\/\/x\.example\/1\)/);
    });

  it('may be the second line, below a title or an introduction', () => {
    for (const [text, title, description] of [
      ['**Apollo**\n\n_2026-05-04_', 'Apollo', null],
      ['_2026-05-04_\n\n**Apollo**', 'Apollo', null],
      ['Faster launches.\n\n2026-05-04', '', 'Faster launches.'],
      [':Author: Ada\n:Date: 2026-05-04', '', ':Author: Ada'],
      ['Faster launches.\nReleased 2026-05-04', '', 'Faster launches.'],
      ['Released 2026-05-04\nFaster launches.', '', 'Faster launches.'],
    ] as const) {
      const [version] = read(`## 1.0.0\n\n${text}\n\n### Added\n\n${CHANGE}\n`);
      assert.deepEqual(
        [version?.publishedAt, version?.title, version?.description],
        ['2026-05-04T00:00:00.000Z', title, description],
      );
    }
  });

  it('several dates as headings are the days of a diary, and stay', () => {
    const [version] = read('## 1.0.0\n\n### May 4, 2026\n\n- A.\n\n### May 3, 2026\n\n- B.\n');
    assert.equal(version?.publishedAt, null);
    assert.deepEqual(
      version?.changes.map(({ text }) => text),
      ['**May 4, 2026:** A.', '**May 3, 2026:** B.'],
    );
  });

  it('a date as a heading of its own is a version', () => {
    const labels = (text: string) => read(text).map(({ version }) => version);
    assert.deepEqual(labels('## 2026-05-04\n\n- A.\n\n## 2026-05-03\n\n- B.\n'), [
      '2026-05-04',
      '2026-05-03',
    ]);
    assert.deepEqual(labels('## 2026\n\n### 2026-05-04\n\n- A.\n'), ['2026-05-04']);
    assert.deepEqual(labels('## 1.0.0 (2026-05-04)\n\n### 2026-05-03\n\n- A.\n'), ['1.0.0', '2026-05-03']);
  });

  for (const text of [
    'The API of 2026-05-04 is gone.',
    'Released 2026-05-04 with a new engine.',
    'The last one, released on 2026-05-04, was slow.',
    'Everything that was changed until\n2026-05-04\nis in here.',
    'This was released on 2026-05-04\nand again a day later.',
    'From 2026-05-04 to 2026-06-04.',
    'One.\n\nTwo.\n\n_2026-05-04_',
    '[2026-05-04](https://x.example/)',
    '```\n2026-05-04\n```',
    'May 2026',
    '_May 2026_',
    '2026-05-04: the first flight',
    '_2026-05-04_ 🚀',
  ])
    it(`${JSON.stringify(text)} stays text`, () => {
      const [version] = read(`## 1.0.0\n\n${text}\n\n### Added\n\n${CHANGE}\n`);
      assert.deepEqual([version?.publishedAt, version?.description], [null, text]);
    });

  for (const text of [
    'Released 2026-05-04, codename Apollo',
    'Released on 2026-05-04. All of it is\nin the manual.',
    'Current stable, released 2026-05-04',
    '(bugfix release, released on May 4th 2026)',
    `Released on 2026-05-04. ${'All of it is in the manual. '.repeat(20).trim()}`,
  ])
    it(`${JSON.stringify(text.slice(0, 60))} has the date, and stays text`, () => {
      const [version] = read(`## 1.0.0\n\n${text}\n\n### Added\n\n${CHANGE}\n`);
      assert.deepEqual([version?.publishedAt, version?.description], ['2026-05-04T00:00:00.000Z', text]);
    });

  it('the items in an item that is the date are the changes', () => {
    for (const indent of ['  ', '    ', '\t']) {
      const list = `* Release 4 May 2026\n${indent}* A pad.\n${indent}  With a floor.\n\n${indent}* A tank.\n\n* Fuel.`;
      const [version] = read(`## 1.0.0\n\n${list}\n`);
      assert.equal(version?.publishedAt, '2026-05-04T00:00:00.000Z');
      assert.deepEqual(
        version?.changes.map(({ text }) => text),
        ['A pad.\nWith a floor.', 'A tank.', 'Fuel.'],
      );
    }
  });

  it('a bare date may begin a paragraph', () => {
    const [version] = read(`## 1.0.0\nMay 4, 2026\nFaster launches.\n\n### Added\n\n${CHANGE}\n`);
    assert.deepEqual(
      [version?.publishedAt, version?.description],
      ['2026-05-04T00:00:00.000Z', 'Faster launches.'],
    );
  });

  it('items of a list stay changes', () => {
    for (const list of ['- A pad.\n- Released 2026-05-04', '- 2026-05-04\n  was the first flight.']) {
      const [version] = read(`## 1.0.0\n\n${list}\n`);
      assert.equal(
        version?.changes
          .map(({ text }) => text)
          .join('\n')
          .includes('2026-05-04'),
        true,
      );
    }
  });

  it('a date in the heading is the date, and the line below stays', () => {
    const [version] = read(`## 1.0.0 - 2026-05-04\n\n_2026-06-04_\n\n${CHANGE}\n`);
    assert.deepEqual(
      [version?.publishedAt, version?.description],
      ['2026-05-04T00:00:00.000Z', '_2026-06-04_'],
    );
  });

  it('the date below an unreleased version is a plan', () => {
    const [version] = read(`## Unreleased\n\n_2026-05-04_\n\n${CHANGE}\n`);
    assert.deepEqual(
      [version?.status, version?.publishedAt, version?.description],
      ['draft', null, '_2026-05-04_'],
    );
  });

  for (const line of [
    'Unreleased',
    '_Not released yet_',
    'Release date: TBD',
    'Release date: 2026-1x-xx',
    '**Released:** unreleased',
  ])
    it(`${JSON.stringify(line)} makes it a draft, whatever the options say`, () => {
      const [version] = read(`## 2.0.0\n\n${line}\n\n${CHANGE}\n`);
      assert.deepEqual([version?.status, version?.isDated, version?.description], ['draft', true, null]);
    });

  it('a date that does not exist is refused with its line', () => {
    assert.throws(
      () => read('## 1.0.0\n\n_2026-02-30_\n'),
      /^Refusal: C\.md:3: version 1\.0\.0 has an invalid date, 2026-02-30/,
    );
  });

  it('a line of digits and dots is read in linear time', () => {
    const text = `## 1.0.0\n\n${'2026-05-04 '.repeat(17)}\n\n`.repeat(2_000);
    const before = process.cpuUsage();
    assert.throws(() => read(text), Refusal);
    assert.ok(process.cpuUsage(before).user < deadline(3_000) * 1_000);
  });
});

describe('a date that does not exist', () => {
  const good = (count: number) =>
    Array.from({ length: count }, (_, index) => `## 1.${index}.0 (2026-05-04)\n\n`).join('');
  const readAll = (text: string) => {
    const { versions, warnings } = readChangelog(
      { bytes: Buffer.from(text), name: 'C.md' },
      {
        format: 'auto',
      },
    );
    const [last] = [...versions].slice(-1);
    return { last, warnings };
  };

  it('is refused if it is more than one of ten', () => {
    assert.throws(
      () => readAll(`${good(9)}## 1.0.0 (2026-02-30)\n`),
      /C\.md:19: version 1\.0\.0 has an invalid date, 2026-02-30/,
    );
  });

  it('is a slip among many: the version has no date, and a warning says so', () => {
    for (const heading of ['## 0.9.0 (2026-02-30)', '## 0.9.0\n\n_2026-02-30_']) {
      const { last, warnings } = readAll(`${good(10)}${heading}\n`);
      assert.deepEqual(
        [last?.isDated, last?.content.status, last?.content.publishedAt],
        [false, 'draft', null],
      );
      assert.equal(last?.content.description, heading.includes('_') ? '_2026-02-30_' : null);
      assert.deepEqual(warnings, [
        `C.md:${heading.includes('_') ? 23 : 21}: version 0.9.0 has an invalid date, 2026-02-30, which is ignored; write it as YYYY-MM-DD.`,
      ]);
    }
  });

  it('is counted if there are many', () => {
    const bad = Array.from({ length: 30 }, (_, index) => `## 0.${index}.0 (2026-02-30)\n\n`).join('');
    const { warnings } = readAll(good(300) + bad);
    assert.deepEqual([warnings.length, warnings.at(-1)], [21, 'C.md: … and 10 more invalid dates.']);
  });
});

describe('the order of day and month', () => {
  const dated = (...dates: readonly string[]) =>
    dates
      .map(
        (date, index) =>
          `## 1.0.${index}${index % 2 ? ` (${date})` : `\n\n_Released ${date}_`}\n\n${CHANGE}\n\n`,
      )
      .join('');
  const datesOf = (text: string, order?: DateOrder) =>
    read(text, order).map(({ publishedAt }) => publishedAt?.slice(0, 10));

  it('a day above 12 decides, wherever it is', () => {
    assert.deepEqual(datesOf(dated('04/05/2024', '03/04/2024', '10/16/2023')), [
      '2024-04-05',
      '2024-03-04',
      '2023-10-16',
    ]);
    assert.deepEqual(datesOf(dated('04/05/2024', '16/10/2023')), ['2024-05-04', '2023-10-16']);
  });

  it('with dots the day is first, unless the file tells otherwise', () => {
    assert.deepEqual(datesOf(dated('04.05.2024', '03.04.2024')), ['2024-05-04', '2024-04-03']);
    assert.deepEqual(datesOf(dated('04.05.2024', '10.16.2023')), ['2024-04-05', '2023-10-16']);
  });

  it('a date that is the same in both orders needs no decision', () => {
    assert.deepEqual(datesOf(dated('05/05/2024', '06/06/2024')), ['2024-05-05', '2024-06-06']);
  });

  it('if nothing decides, it is refused with the line and the option', () => {
    assert.throws(() => read(dated('05/05/2024', '04/05/2024')), {
      message:
        'C.md:7: 04/05/2024 can be read in two ways, and no other date in the file tells which. Use `--date-order day-first` or `--date-order month-first`.',
    });
  });

  it('if only one order makes the dates fall, it is that', () => {
    assert.deepEqual(datesOf(dated('01/09/2024', '05/08/2024', '03/07/2024')), [
      '2024-09-01',
      '2024-08-05',
      '2024-07-03',
    ]);
  });

  it('in a file of both orders, a date lies between those around it', () => {
    assert.deepEqual(datesOf(dated('12/22/2023', '05/11/2023', '16/10/2023')), [
      '2023-12-22',
      '2023-11-05',
      '2023-10-16',
    ]);
  });

  it('one date in ten that nothing decides is left out, with a warning', () => {
    const others = Array.from({ length: 10 }, (_, index) => `2022-01-${30 - index}`);
    const text = dated('12/22/2023', '04/05/2023', '16/02/2023', ...others);
    assert.deepEqual(datesOf(text).slice(0, 3), ['2023-12-22', undefined, '2023-02-16']);
  });

  it('if the file contradicts itself, it is refused with both lines', () => {
    assert.throws(() => read(dated('04/05/2024', '16/10/2023', '10/16/2023')), {
      message:
        'C.md:3: 04/05/2024 can be read in two ways, and the file has both: 16/10/2023 on line 7 with the day first, 10/16/2023 on line 13 with the month first. Use `--date-order day-first` or `--date-order month-first`.',
    });
  });

  it('the option decides, and a date that exists only in the other order keeps it', () => {
    const text = dated('04/05/2024', '16/10/2023', '10/16/2023');
    assert.deepEqual(datesOf(text, 'day-first'), ['2024-05-04', '2023-10-16', '2023-10-16']);
    assert.deepEqual(datesOf(text, 'month-first'), ['2024-04-05', '2023-10-16', '2023-10-16']);
    assert.deepEqual(datesOf(dated('04.05.2024'), 'month-first'), ['2024-04-05']);
  });

  it('a day before the month behind the year needs the option', () => {
    const text = dated('2024-05-04', '2023-16-10');
    assert.throws(
      () => read(text),
      /C\.md:7: .* has an invalid date, 2023-16-10; .* or use `--date-order day-first`\.$/,
    );
    assert.deepEqual(datesOf(text, 'day-first'), ['2024-05-04', '2023-10-16']);
    assert.throws(() => read(text, 'month-first'), /has an invalid date/);
  });

  it('the date of an unreleased version needs none', () => {
    assert.deepEqual(datesOf(`## Unreleased (04/05/2024)\n\n${CHANGE}\n`), [undefined]);
  });
});

function read(text: string, dateOrder: DateOrder | null = null) {
  const input = { bytes: Buffer.from(text), name: 'C.md' };
  const { versions } = readChangelog(input, { format: 'auto', rules: { ...NO_RULES, dateOrder } });
  return Array.from(versions, ({ content, isDated }) => ({ ...content, isDated }));
}
