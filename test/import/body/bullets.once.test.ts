// Lists that Markdown does not read as such.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { changesOf, typesOf, versionOf } from './bodies.ts';

const textsOf = (body: string) => changesOf(body).map(({ text }) => text);

describe('other bullets', () => {
  const LISTS: Readonly<Record<string, readonly [body: string, texts: readonly string[]]>> = {
    'o, with wrapped lines': [
      'o [NSE] Added a\n  and more\n\no Fixed b\no c',
      ['[NSE] Added a\nand more', 'Fixed b', 'c'],
    ],
    bullets: ['• a\n• b\n  • c', ['a', 'b\n- c']],
    'bullets without a space': ['•a\n•b', ['a', 'b']],
    dots: ['· a\n· b', ['a', 'b']],
    dashes: ['– a\n– b', ['a', 'b']],
    'Chinese numbers': ['1、a\n2、b', ['a', 'b']],
    'items that are indented like code': [
      '** Bug\n    * HHH-1 a\n    * HHH-2 b\n\n** Task\n    * HHH-3 c',
      ['HHH-1 a', 'HHH-2 b', '**Task:** HHH-3 c'],
    ],
    'nested lists, at any indentation': ['  - a\n    - b\n  - c\n    - d', ['a\n- b', 'c\n- d']],
    'items that are indented by a tab': ['Words.\n\n\t- a\n\t- b', ['a', 'b']],
  };
  for (const [what, [body, texts]] of Object.entries(LISTS))
    it(what, () => {
      assert.deepEqual(textsOf(body), texts);
    });

  it('what only looks like a bullet is text', () => {
    for (const text of ['A quotation.\n— Wernher', 'Um dia\no foguete'])
      assert.deepEqual(versionOf(text), { description: text, changes: [] }, text);
    const code = '- a\n\n      - name: b\n\n```\no c\n• d\n```';
    assert.deepEqual(textsOf(code), ['a\n\n    - name: b\n\n```\no c\n• d\n```']);
  });
});

describe('lines without bullets', () => {
  const LISTS: Readonly<Record<string, string>> = {
    'first words': 'Added x\nFixed y\nRemoved z',
    prefixes: 'fix: x\nfeat: y',
    'half of them': 'Added x\nThe pad is y\nFixed z\nPads',
    'hard breaks': 'Added x  \nFixed y  \nChanged z',
    sentences: 'The pad is larger.\nThe engine stops at once.\nIt has a countdown!',
    emoji: '🐛 x\n✨ y',
    Chinese: '新增 x\n修复 y',
    'long ones of which each has a first word': `Added ${'x '.repeat(40)}\nFixed ${'y '.repeat(39)}`,
  };
  for (const [what, body] of Object.entries(LISTS))
    it(`each is a change: ${what}`, () => {
      const lines = body.split('\n').map((line) => line.trim());
      assert.deepEqual(textsOf(body), lines);
      assert.deepEqual(
        textsOf(`### Pads\n\n${body}`),
        lines.map((line) => `**Pads:** ${line}`),
      );
    });

  it('indented lines go on with the one above', () => {
    assert.deepEqual(textsOf('Removed x\n  of y\nThe pad\n    is z\n#12: w\n (by me)'), [
      'Removed x\nof y',
      'The pad\nis z',
      '#12: w\n(by me)',
    ]);
  });

  it('a name in brackets is a section', () => {
    assert.deepEqual(typesOf('[FIXES]\nA pad was\nlost.\n\n[NEW FEATURES]\n\nThe pad.\n\n[PADS]\nx'), [
      'fixed',
      'added',
    ]);
  });

  it('so is a known name before a text and a list', () => {
    assert.deepEqual(changesOf('Improvements\n\n- x\n\nBug Fixes\n\nOver 20 of them:\n\n- y').at(-1), {
      type: 'fixed',
      text: 'y',
      breaking: false,
    });
  });

  const TEXTS: Readonly<Record<string, string>> = {
    wrapped:
      'Fixed a pad that was much too small for the rocket that stands on it, and then\nAdded another one, which is also small. Nobody knows who ordered it, nor why so\nMany of them are in the store.',
    'goes on in small letters': 'Added a pad\nthat is larger\nthan before.',
    'ends in a comma': 'Added a pad,\nFixed another one',
    'two sentences': 'The first release.\nIt has everything.',
    prose: 'This release is large.\nThe engine stops at once.\nIt has a countdown.',
    quotation: '> Added a\n> Fixed b',
    table: 'Added | b\n--- | ---\nFixed | d',
  };
  for (const [what, body] of Object.entries(TEXTS))
    it(`they are one text: ${what}`, () => {
      assert.deepEqual(versionOf(body), { description: body, changes: [] });
    });

  it('beside a list they are text', () => {
    const lines = 'Added a\nFixed b';
    assert.deepEqual(textsOf(`${lines}\n\n- c`), ['c']);
    assert.equal(versionOf(`${lines}\n\n- c`).description, lines);
  });
});
