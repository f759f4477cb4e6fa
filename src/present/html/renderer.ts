// The HTML of authored texts: cached, rendered at once if short, otherwise rendered on a thread.
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { countSyntax, VERSION_SYNTAX_MAX } from '../../domain/content/markdown-budget.ts';
import { isTickUsedUp, yieldToEventLoop } from '../../event-loop.ts';
import { renderPlain } from './escape.ts';
import { createHtmlCache } from './html-cache.ts';
import type { Rendered } from './markdown.ts';
import type { Render } from './render.ts';
import type { RenderReply, RenderRequest } from './render-thread.ts';
import { renderWords } from './words.ts';

const THREAD = new URL(`./render-thread${path.extname(import.meta.filename)}`, import.meta.url);
/**
 * Up to these limits, rendering takes two milliseconds at most. Nearly all texts are within them, so that most servers never
 * start the thread, which has a heap of its own.
 */
const SHORT_CHARACTERS_MAX = 10_000;
const SHORT_SYNTAX_MAX = 1_000;
/** Far more than the largest text needs. */
const THREAD_LIMITS = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 4 };
/** Small batches let other requests use the thread in between. */
const BATCH_TEXTS_MAX = 50;
const BATCH_CHARACTERS_MAX = 200_000;

const BYTES_PER_MB = 1024 * 1024;
const SHARE_OF_CACHE = 1 / 16;

export type Renderer = Readonly<{
  render: Render;
  close: () => Promise<void>;
}>;

/** The HTML of a version's first texts, and the rest of its budget. */
type Progress = { readonly html: string[]; syntaxLeft: number };
type PendingRender = PromiseWithResolvers<readonly Rendered[]>;

/** Its cache takes memory beyond that of the cached responses, in proportion to it. */
export function openRenderer(cacheMaxMb: number): Renderer {
  const cache = createHtmlCache(cacheMaxMb * BYTES_PER_MB * SHARE_OF_CACHE);
  const waiting = new Map<number, PendingRender>();
  /** Loaded for the first text that needs it. */
  let parser: typeof import('./markdown.ts') | null = null;
  let thread: Worker | null = null;
  let requests = 0;

  function start(): Worker {
    // The thread does not need the process's flags and preloaded modules.
    const started = new Worker(THREAD, { execArgv: [], resourceLimits: THREAD_LIMITS });
    started.on('message', ({ number, rendered }: RenderReply) => {
      waiting.get(number)?.resolve(rendered);
      waiting.delete(number);
      if (waiting.size === 0) started.unref();
    });
    started.on('error', (error) => lose(started, error));
    started.on('exit', () => lose(started, new Error('the rendering thread ended')));
    // After adding listeners, which ref the thread: an idle thread must not keep the process alive.
    started.unref();
    return started;
  }

  /** Pending requests fail, and the next one starts another thread. */
  function lose(lost: Worker, error: unknown): void {
    if (thread !== lost) return;
    thread = null;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  }

  function request(texts: readonly string[], syntaxLeft: number): Promise<readonly Rendered[]> {
    thread ??= start();
    const number = ++requests;
    const pending: PendingRender = Promise.withResolvers();
    if (waiting.size === 0) thread.ref();
    waiting.set(number, pending);
    thread.postMessage({ number, texts, syntaxLeft } satisfies RenderRequest);
    return pending.promise;
  }

  function render(texts: readonly string[]): ReturnType<Render> {
    const progress: Progress = { html: [], syntaxLeft: VERSION_SYNTAX_MAX };
    if (!isTickUsedUp()) renderHere(texts, progress);
    return progress.html.length === texts.length ? progress.html : renderRest(texts, progress);
  }

  async function renderRest(texts: readonly string[], progress: Progress): Promise<readonly string[]> {
    while (progress.html.length < texts.length) {
      await yieldToEventLoop();
      const next = renderHere(texts, progress);
      if (next === undefined) continue;
      if (countIfShort(next) === null) await renderInThread(texts, progress);
      else parser ??= await import('./markdown.ts');
    }
    return progress.html;
  }

  /** Renders at least one text, then more until other requests must run. Returns a text it cannot render, if any. */
  function renderHere(texts: readonly string[], progress: Progress): string | undefined {
    do {
      const text = texts[progress.html.length];
      if (text === undefined) return undefined;
      const known = cache.get(text);
      const syntaxCount = known?.syntaxCount ?? countIfShort(text);
      if (syntaxCount === null) return text;
      const fits = syntaxCount <= progress.syntaxLeft;
      const html = fits ? (known?.html ?? renderShort(text, syntaxCount)) : renderPlain(text);
      if (html === null) return text;
      progress.html.push(html);
      if (fits) progress.syntaxLeft -= syntaxCount;
    } while (!isTickUsedUp());
    return undefined;
  }

  /** Null while the parser is needed but not loaded. Plain words are not cached because that would take longer. */
  function renderShort(text: string, syntaxCount: number): string | null {
    const words = renderWords(text);
    if (words !== null || parser === null) return words;
    const html = parser.renderParsed(text);
    cache.set(text, { html, syntaxCount });
    return html;
  }

  async function renderInThread(texts: readonly string[], progress: Progress): Promise<void> {
    const batch = nextBatch(texts, progress.html.length);
    for (const [index, { html, syntaxCount }] of (await request(batch, progress.syntaxLeft)).entries()) {
      progress.html.push(html);
      if (syntaxCount === null) continue;
      progress.syntaxLeft -= syntaxCount;
      cache.set(batch[index] as string, { html, syntaxCount });
    }
  }

  return {
    render,
    close: async () => {
      const ending = thread;
      thread = null;
      await ending?.terminate();
    },
  };
}

function countIfShort(text: string): number | null {
  if (text.length > SHORT_CHARACTERS_MAX) return null;
  const count = countSyntax(text);
  return count > SHORT_SYNTAX_MAX ? null : count;
}

function nextBatch(texts: readonly string[], from: number): readonly string[] {
  let characters = 0;
  let to = from;
  while (to < texts.length && to - from < BATCH_TEXTS_MAX) {
    characters += (texts[to] as string).length;
    if (to > from && characters > BATCH_CHARACTERS_MAX) break;
    to++;
  }
  return texts.slice(from, to);
}
