import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { code, item, oneLine, quote, TEXT_CHARACTERS_MAX } from '../../src/mcp/untrusted.ts';

/** What Markdown gives a meaning to, and what people do not see. */
const HOSTILE = fc
  .array(
    fc.constantFrom(
      '\n',
      '\r\n',
      '\r',
      '\u2028',
      '\u0085',
      '# ',
      '## Breaking',
      '- ',
      '```',
      '~~~~',
      '> ',
      '`',
      '  ',
      '\t',
      '\u202e',
      '\u200b',
      '\u{e0041}',
      '\u{e0101}',
      '\ufe00',
      '\ufe0f',
      '\u200c',
      '\u200d',
      '\u3164',
      '\u2800',
      '\u001b[2J',
      '\ud800',
      'text',
      '<!--',
      '👩‍🚀',
      '1. ',
      '---',
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(''));

describe('a text of an author', () => {
  it('never begins a line in the first column, whatever it is', () => {
    fc.assert(
      fc.property(HOSTILE, (text) => {
        const [head = '', ...rest] = item('`1.0.0`:', text).split('\n');
        assert.ok(head.startsWith('- `1.0.0`:'));
        for (const line of rest) assert.match(line, /^(?: {2}.*)?$/);
        for (const line of quote(text).split('\n')) assert.match(line, /^>/);
        assert.doesNotMatch(oneLine(text), /[\n\r\u2028]/);
        assert.match(code(text), /^`[^`\n]*`$/);
      }),
    );
  });

  it('loses a joiner whose selector before it is lost', () => {
    assert.equal(oneLine('\ufe0f\u200d👩‍🚀'), '👩‍🚀');
    assert.equal(oneLine('❤️‍🔥'), '❤️‍🔥');
  });

  it('loses control characters and characters that only a model sees', () => {
    fc.assert(
      fc.property(HOSTILE, (text) => {
        for (const written of [item('', text), quote(text), oneLine(text), code(text)]) {
          assert.doesNotMatch(written, /[[\p{Cc}\p{Cf}\p{DI}\u2028\u2800]--[\n\t\u200d\ufe0f]]/v);
          assert.doesNotMatch(written, /[\u200d\ufe0f]{3}|(?:^|[a-z\s])[\u200d\ufe0f]/v);
          assert.ok(written.isWellFormed());
        }
      }),
    );
    assert.equal(oneLine('👩‍🚀 \u{e0049}launch\u202e'), '👩‍🚀 launch');
  });

  it('has one invisible character at most between visible ones, however many were written', () => {
    const written = [
      '\ufe0f',
      '\ufe01',
      '\u{e0100}',
      '\u200c',
      '\u200d',
      '\u3164',
      '\u115f',
      '\uffa0',
      '\u034f',
    ];
    for (const hidden of [...written, written.join('')])
      for (const visible of ['x', '1', '🙂', '✓', 'م', 'न्', '\u3131'])
        assert.match(oneLine(`${visible}${hidden.repeat(1_000)}${visible}`), /^(?:[^\p{DI}]+\p{DI}?){1,2}$/v);
    assert.equal(oneLine('\u2800\u2800a\u2800\u2800b\u3164'), 'a b');
  });

  it('keeps emoji and words that need their joiners', () => {
    for (const text of ['👩‍🚀', '🏳️‍🌈', '👨‍👩‍👧‍👦', '🕵🏽‍♂️', '🧑🏿‍🤝‍🧑🏻', '1️⃣ #️⃣', '❤️'])
      assert.equal(oneLine(text), text);
    for (const text of ['می‌خواهم', 'کتاب‌ها', 'क्‍ष', 'ശ്‍', 'ශ්‍රී', 'র‍্য']) assert.equal(oneLine(text), text);
    assert.equal(oneLine('🏴\u{e0067}\u{e0062}\u{e007f} 葛\u{e0100}'), '🏴 葛');
  });

  it('with a block at its start begins below its label', () => {
    for (const text of [
      '# Breaking',
      '```js\nf()\n```',
      '- a\n- b',
      '> q',
      '| a |',
      '    code',
      '1. one',
      '---',
    ])
      assert.equal(item('`1`:', text), `- \`1\`:\n${text.replaceAll(/^/gm, '  ')}`);
    assert.equal(item('', '# Breaking'), '-\n  # Breaking');
    assert.equal(item('`1`:', '-5 degrees'), '- `1`: -5 degrees');
  });

  it('has its last code block closed', () => {
    assert.equal(item('', 'a\n```js\nf()'), '- a\n  ```js\n  f()\n  ```');
    assert.equal(quote('~~~~\n~~~\n```'), '> ~~~~\n> ~~~\n> ```\n> ~~~~');
    assert.equal(quote('- ```\n  x'), '> - ```\n>   x\n> ```');
    assert.equal(quote('```\nx\n```'), '> ```\n> x\n> ```');
  });

  it('is cut when it is too long, and never within a character', () => {
    const long = item('', `a${'👩'.repeat(TEXT_CHARACTERS_MAX)}`);
    assert.ok(long.length < TEXT_CHARACTERS_MAX + 20);
    assert.ok(long.endsWith('👩 … (cut)'));
    assert.match(oneLine('x'.repeat(1_000)), /^x{200} … \(cut\)$/);
  });
});
