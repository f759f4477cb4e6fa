import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { after, describe, it } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import { promisify } from 'node:util';
import { countSyntax, SYNTAX_MAX, VERSION_SYNTAX_MAX } from '../../../src/domain/content/markdown-budget.ts';
import { createHtmlCache } from '../../../src/present/html/html-cache.ts';
import { renderMarkdown, renderTexts } from '../../../src/present/html/markdown.ts';
import { openRenderer } from '../../../src/present/html/renderer.ts';
import { deadline } from '../../../support/processes/busy.ts';

/** Too long to render synchronously. */
const LONG = `*a* ${'word '.repeat(2_000)}`;
const HTML_OF_LONG = `<p><em>a</em> ${'word '.repeat(2_000).trim()}</p>`;

describe('the renderer', () => {
  const renderer = openRenderer(1);
  after(renderer.close);

  it('each text is rendered as if it were alone', async () => {
    const texts = ['*a*', '', '<b>', 'a\n\nb', '*a*'];
    assert.deepEqual(await renderer.render(texts), texts.map(renderMarkdown));
    assert.deepEqual(await renderer.render([]), []);
  });

  it('cached and new texts, alone or among many, are rendered the same', async () => {
    const texts = Array.from({ length: 300 }, (_, number) => `**${number}** ${'word '.repeat(number * 10)}`);
    const expected = texts.map(renderMarkdown);
    assert.deepEqual(await renderer.render(texts), expected);
    assert.deepEqual(await renderer.render(texts.toReversed()), expected.toReversed());
    assert.deepEqual(await openOther((other) => other.render(texts)), expected);
  });

  it('rendering runs on another thread and blocks nothing', async () => {
    const hostile = Array.from({ length: 60 }, (_, number) => `${number}\n\n${'a\n-\n'.repeat(6_600)}`);
    const delays = monitorEventLoopDelay({ resolution: 1 });
    delays.enable();
    const html = await renderer.render(hostile);
    delays.disable();
    assert.equal(html.length, hostile.length);
    assert.ok(delays.max / 1e6 < 250, `${delays.max / 1e6} ms`);
  });

  it('short texts are rendered synchronously, up to the first long one', async () => {
    const texts = ['*a*', 'words', '[a](b)', ''];
    await renderer.render(texts);
    for (const short of [texts, ['words', '**new**', 'a'.repeat(10_000)], []])
      assert.deepEqual(await renderAtOnce(short), short.map(renderMarkdown));
    assert.deepEqual(await openOther((other) => other.render(['words'])), ['<p>words</p>']);
    for (const long of ['a'.repeat(10_001), '*'.repeat(1_001)]) {
      const mixed = [...texts, long, ...texts];
      const rendered = renderer.render(mixed);
      assert.ok(rendered instanceof Promise);
      assert.deepEqual(await rendered, mixed.map(renderMarkdown));
    }
  });

  /** On a busy machine, a tick may be used up from the start. */
  async function renderAtOnce(texts: readonly string[]): Promise<readonly string[] | null> {
    for (let attempt = 0; attempt < 100; attempt++) {
      await nextTick();
      const rendered = renderer.render(texts);
      if (!(rendered instanceof Promise)) return rendered;
    }
    return null;
  }

  it('no text rendered synchronously takes four milliseconds', () => {
    const pieces = [
      '[a  \n',
      '- <![CDATA[',
      '> <![CDATA[',
      '[<!A ',
      '- [[',
      '[a* ',
      '![',
      '*_',
      '<a@b.c>',
      '`a` ',
      '[\ud800',
    ];
    const columns = `|${'a|'.repeat(25)}\n|${'-|'.repeat(25)}\n${'|\n'.repeat(500)}`;
    for (const text of [columns, ...pieces.map((piece) => piece.repeat(5_000))].map(asLongAsIsShort)) {
      const times = Array.from({ length: 20 }, () => {
        const startedAt = performance.now();
        renderMarkdown(text);
        return performance.now() - startedAt;
      });
      assert.ok(Math.min(...times) < deadline(4), `${text.slice(0, 20)}: ${Math.min(...times)} ms`);
    }
  });

  it('many short texts let other requests run in between', async () => {
    const texts = Array.from({ length: 400 }, (_, number) =>
      asLongAsIsShort(`${number} ${'[a* '.repeat(200)}`),
    );
    let ticks = 0;
    const counting = setInterval(() => ticks++);
    const html = await renderer.render(texts);
    clearInterval(counting);
    assert.equal(html.length, texts.length);
    assert.ok(ticks > 0);
  });

  it('pending rendering keeps the process alive, but an idle thread does not', async () => {
    const program = `import { openRenderer } from '${new URL('../../../src/present/html/renderer.ts', import.meta.url)}';
      console.log((await openRenderer(1).render([${JSON.stringify(LONG)}]))[0]);`;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', program],
      {
        timeout: 120_000,
      },
    );
    assert.ok(stdout.includes(HTML_OF_LONG), stdout);
  });

  it('rendering continues after the thread was lost', async () => {
    const own = openRenderer(1);
    assert.deepEqual(await own.render([LONG]), [HTML_OF_LONG]);
    await own.close();
    assert.deepEqual(await own.render([`b ${LONG}`]), [renderMarkdown(`b ${LONG}`)]);
    await own.close();
  });
});

/** The longest start of a text that is rendered synchronously, with a character to spare. */
function asLongAsIsShort(text: string): string {
  let syntax = 0;
  const end = [...text.slice(0, 9_990)].findIndex(
    (character) => countSyntax(character) > 0 && ++syntax > 999,
  );
  return end === -1 ? text.slice(0, 9_990) : text.slice(0, end);
}

async function openOther<T>(use: (renderer: ReturnType<typeof openRenderer>) => T | Promise<T>): Promise<T> {
  const other = openRenderer(0);
  try {
    return await use(other);
  } finally {
    await other.close();
  }
}

describe('the syntax budget of a version', () => {
  /** Exactly this many syntax characters, and few others. */
  const marked = (syntaxCount: number, name = '') => `${name}${'*'.repeat(syntaxCount)}`;
  const isWritten = (html: string) => html.startsWith('<pre>');

  it('texts beyond the budget are shown as written, and later texts that fit are rendered', async () => {
    const half = VERSION_SYNTAX_MAX / 4;
    const texts = [...'abcde'].map((name) => marked(half, name)).concat('*a*');
    const html = renderTexts(texts).map((rendered) => rendered.html);
    assert.deepEqual(html.map(isWritten), [false, false, false, false, true, true]);
    assert.equal(html[4], `<pre>${texts[4]}</pre>`);
    assert.deepEqual(await openOther((renderer) => renderer.render(texts)), html);
  });

  it('a text that is too complex by itself does not use the budget', () => {
    const texts = [
      marked(SYNTAX_MAX + 1),
      ...Array.from({ length: 3 }, (_, index) => marked(SYNTAX_MAX, `${index}`)),
    ];
    assert.deepEqual(
      renderTexts(texts).map(({ html }) => isWritten(html)),
      [true, false, false, false],
    );
  });

  it('cached texts use the budget like new ones', async () => {
    const texts = Array.from({ length: 5 }, (_, index) => marked(VERSION_SYNTAX_MAX / 4, `${index}`));
    const expected = renderTexts(texts).map(({ html }) => html);
    const renderer = openRenderer(8);
    try {
      for (const text of texts) assert.deepEqual(await renderer.render([text]), [renderMarkdown(text)]);
      assert.deepEqual(await renderer.render(texts), expected);
      assert.deepEqual(await renderer.render(texts), expected);
    } finally {
      await renderer.close();
    }
  });
});

describe('the HTML cache', () => {
  const entry = (text: string) => ({ html: `<p>${text}</p>`, syntaxCount: 1 });

  it('HTML is cached by its text up to the limit', () => {
    const cache = createHtmlCache(100_000);
    for (let number = 0; number < 10_000; number++) {
      cache.set(`text ${number}`, entry(String(number)));
      // Entries in use are not evicted.
      assert.equal(cache.get('text 0')?.html, '<p>0</p>');
    }
    const kept = Array.from({ length: 10_000 }, (_, number) => cache.get(`text ${number}`)).filter(Boolean);
    assert.ok(kept.length > 100 && kept.length <= 500, String(kept.length));
  });

  it('HTML larger than the cache is not cached', () => {
    const cache = createHtmlCache(1_000);
    cache.set('x'.repeat(1_000), entry('x'));
    assert.equal(cache.get('x'.repeat(1_000)), undefined);
    const none = createHtmlCache(0);
    none.set('a', entry('a'));
    assert.equal(none.get('a'), undefined);
  });
});
