// The HTML of authored texts: from memory if the same text was rendered before, and else from a thread that renders.
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { VERSION_SYNTAX_MAX } from '../../domain/content/markdown-budget.ts';
import { renderPlain } from './escape.ts';
import { createHtmlCache } from './html-cache.ts';
import type { Rendered } from './markdown.ts';
import type { Render } from './render.ts';
import type { RenderReply, RenderRequest } from './render-thread.ts';
import { yieldToEventLoop } from './slices.ts';

const THREAD = new URL(`./render-thread${path.extname(import.meta.filename)}`, import.meta.url);
/** Far more than the largest text that is rendered takes. */
const THREAD_LIMITS = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 16 };
/** What the thread is asked for at a time: others who wait for it come in between. */
const ORDER_TEXTS_MAX = 50;
const ORDER_CHARACTERS_MAX = 200_000;

const BYTES_PER_MB = 1024 * 1024;
const SHARE_OF_CACHE = 1 / 4;

export type Renderer = Readonly<{
  render: Render;
  /** Starts the thread before it is needed: that takes longer than to render a version. */
  warmUp: () => void;
  close: () => Promise<void>;
}>;

type PendingRender = PromiseWithResolvers<readonly Rendered[]>;

/** What is kept takes a part of the memory for cached responses besides it. */
export function openRenderer(cacheMaxMb: number): Renderer {
  const cache = createHtmlCache(cacheMaxMb * BYTES_PER_MB * SHARE_OF_CACHE);
  const waiting = new Map<number, PendingRender>();
  let thread: Worker | null = null;
  let orders = 0;

  function start(): Worker {
    // None of the flags and modules that the process was started with are for the thread.
    const started = new Worker(THREAD, { execArgv: [], resourceLimits: THREAD_LIMITS });
    started.on('message', ({ number, rendered }: RenderReply) => {
      waiting.get(number)?.resolve(rendered);
      waiting.delete(number);
      if (waiting.size === 0) started.unref();
    });
    started.on('error', (error) => lose(started, error));
    started.on('exit', () => lose(started, new Error('the rendering thread ended')));
    // After the listeners, which would make it count again: a thread that nobody waits for keeps no process alive.
    started.unref();
    return started;
  }

  /** Whoever waits for it fails, and the next order starts another. */
  function lose(lost: Worker, error: unknown): void {
    if (thread !== lost) return;
    thread = null;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  }

  function order(texts: readonly string[], syntaxLeft: number): Promise<readonly Rendered[]> {
    thread ??= start();
    const number = ++orders;
    const answered: PendingRender = Promise.withResolvers();
    if (waiting.size === 0) thread.ref();
    waiting.set(number, answered);
    thread.postMessage({ number, texts, syntaxLeft } satisfies RenderRequest);
    return answered.promise;
  }

  async function render(texts: readonly string[]): Promise<readonly string[]> {
    const html: string[] = [];
    let syntaxLeft = VERSION_SYNTAX_MAX;
    while (html.length < texts.length) {
      await yieldToEventLoop();
      const text = texts[html.length] as string;
      const known = cache.find(text);
      if (known !== undefined) {
        const fits = known.syntaxCount <= syntaxLeft;
        html.push(fits ? known.html : renderPlain(text));
        if (fits) syntaxLeft -= known.syntaxCount;
        continue;
      }
      const some = nextBatch(texts, html.length);
      for (const [index, rendered] of (await order(some, syntaxLeft)).entries()) {
        html.push(rendered.html);
        if (rendered.syntaxCount === null) continue;
        syntaxLeft -= rendered.syntaxCount;
        cache.keep(some[index] as string, { html: rendered.html, syntaxCount: rendered.syntaxCount });
      }
    }
    return html;
  }

  return {
    render,
    warmUp: () => {
      thread ??= start();
    },
    close: async () => {
      const ending = thread;
      thread = null;
      await ending?.terminate();
    },
  };
}

function nextBatch(texts: readonly string[], from: number): readonly string[] {
  let characters = 0;
  let to = from;
  while (to < texts.length && to - from < ORDER_TEXTS_MAX) {
    characters += (texts[to] as string).length;
    if (to > from && characters > ORDER_CHARACTERS_MAX) break;
    to++;
  }
  return texts.slice(from, to);
}
