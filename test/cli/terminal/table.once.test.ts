import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatRecord, formatTable, widthOf } from '../../../src/cli/terminal/table.ts';
import { escapeControls, formatJson } from '../../../src/cli/terminal/text.ts';

const PIPE = { environment: {} };
const terminal = (columns: number) => ({ environment: { NO_COLOR: '1' }, columns: () => columns });

const ROWS = [
  {
    version: '2.1.0',
    title: 'Faster launches, and much more that nobody has room for',
    status: 'published',
    published: '2026-05-04T09:00:00.000Z',
    id: 'ver_0199a2b3c4d5',
  },
  { version: '10.0.0-beta.1', title: '速い打ち上げ', status: 'draft', published: null, id: 'ver_1' },
];

describe('a table', () => {
  it('a table is not shortened without a terminal', () => {
    const [heading, first = '', second = ''] = formatTable(PIPE, ROWS, '').split('\n');
    assert.match(heading ?? '', /^VERSION {8}TITLE +STATUS +PUBLISHED +ID$/);
    for (const value of Object.values(ROWS[0] ?? {})) assert.ok(first.includes(String(value)));
    assert.match(second, /^10\.0\.0-beta\.1 {2}速い打ち上げ +draft +- +ver_1$/);
  });

  it('a table is not shortened on a terminal that is wide enough', () => {
    assert.equal(formatTable(terminal(200), ROWS, ''), formatTable(PIPE, ROWS, ''));
  });

  for (const columns of [80, 70, 63]) {
    it(`a table fits a terminal of ${columns} columns`, () => {
      const lines = formatTable(terminal(columns), ROWS, '').split('\n');
      assert.equal(lines.length, 3);
      for (const line of lines) assert.ok(widthOf(line) <= columns, line);
    });
  }

  it('a table shortens the widest columns first, and never ids and labels', () => {
    const first = (columns: number) => formatTable(terminal(columns), ROWS, '').split('\n')[1] ?? '';
    assert.match(first(80), /^2\.1\.0 +Faster launches,… +published +2026-05-04T09:00… +ver_0199a2b3c4d5$/);
    assert.match(first(19), /^2\.1\.0 +Faster… +publish… +2026-05… +ver_0199a2b3c4d5$/);
  });

  it('a table without rows is the given text', () => {
    assert.equal(formatTable(terminal(80), [], 'Nothing.'), 'Nothing.');
  });

  it('a table has bold headings on a terminal, unless NO_COLOR or TERM=dumb is set', () => {
    const columns = () => 80;
    assert.equal(formatTable({ environment: {}, columns }, [{ id: 1 }], ''), '\x1b[1mID\x1b[22m\n1');
    for (const environment of [{ NO_COLOR: '1' }, { TERM: 'dumb' }])
      assert.equal(formatTable({ environment, columns }, [{ id: 1 }], ''), 'ID\n1');
    assert.equal(
      formatTable({ environment: { NO_COLOR: '' }, columns }, [{ id: 1 }], ''),
      '\x1b[1mID\x1b[22m\n1',
    );
    assert.equal(formatTable(PIPE, [{ id: 1 }], ''), 'ID\n1');
  });

  it('a table may have 200,000 rows', () => {
    const rows = Array.from({ length: 200_000 }, (_, id) => ({ id }));
    assert.match(formatTable(PIPE, rows, ''), /\n199999$/);
  });
});

describe('stored text', () => {
  const HOSTILE = 'a\x1b[2Jb\x07c\x9b31md\u202ee\x7f';
  const ESCAPED = 'a\\x1b[2Jb\\x07c\\x9b31md\\u202ee\\x7f';

  it('stored text cannot control the terminal', () => {
    assert.equal(escapeControls(HOSTILE), ESCAPED);
    assert.equal(formatRecord({ title: HOSTILE }), `title  ${ESCAPED}`);
    assert.equal(formatTable(PIPE, [{ products: [HOSTILE] }], ''), `PRODUCTS\n${ESCAPED}`);
  });

  it('stored text is the same value in JSON, without control characters', () => {
    const written = formatJson({ title: HOSTILE });
    assert.deepEqual(JSON.parse(written), { title: HOSTILE });
    assert.doesNotMatch(written, /[^\P{Cc}\n]|\p{Bidi_Control}/u);
  });

  it('the width of a text is the number of columns it takes on a terminal', () => {
    for (const [text, width] of [
      ['rocket', 6],
      ['é', 1],
      ['e\u0301', 1],
      ['速い', 4],
      ['한국', 4],
      ['𗼇', 2],
      ['का', 2],
      ['\u1112\u1161\u11ab', 2],
      ['🇩🇪', 2],
      ['a\u200bb', 2],
    ] as const)
      assert.equal(widthOf(text), width, text);
  });
});
