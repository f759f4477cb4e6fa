// The HTML of authored texts, from the cache or from the rendering thread.
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
/** Far more than the largest text needs. */
const THREAD_LIMITS = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 16 };
/** Small batches let other requests use the thread in between. */
const BATCH_TEXTS_MAX = 50;
const BATCH_CHARACTERS_MAX = 200_000;

const BYTES_PER_MB = 1024 * 1024;
const SHARE_OF_CACHE = 1 / 4;

export type Renderer = Readonly<{
  render: Render;
  /** Starts the thread early: that takes longer than rendering a version. */
  warmUp: () => void;
  close: () => Promise<void>;
}>;

type PendingRender = PromiseWithResolvers<readonly Rendered[]>;

/** Its cache uses memory in addition to the cached responses, in proportion to them. */
export function openRenderer(cacheMaxMb: number): Renderer {
  const cache = createHtmlCache(cacheMaxMb * BYTES_PER_MB * SHARE_OF_CACHE);
  const waiting = new Map<number, PendingRender>();
  let thread: Worker | null = null;
  let requests = 0;

  function start(): Worker {
    // The thread does not need the flags and preloaded modules of the process.
    const started = new Worker(THREAD, { execArgv: [], resourceLimits: THREAD_LIMITS });
    started.on('message', ({ number, rendered }: RenderReply) => {
      waiting.get(number)?.resolve(rendered);
      waiting.delete(number);
      if (waiting.size === 0) started.unref();
    });
    started.on('error', (error) => lose(started, error));
    started.on('exit', () => lose(started, new Error('the rendering thread ended')));
    // After adding the listeners, which ref the thread: an idle thread must not keep the process alive.
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
      const batch = nextBatch(texts, html.length);
      for (const [index, rendered] of (await request(batch, syntaxLeft)).entries()) {
        html.push(rendered.html);
        if (rendered.syntaxCount === null) continue;
        syntaxLeft -= rendered.syntaxCount;
        cache.put(batch[index] as string, { html: rendered.html, syntaxCount: rendered.syntaxCount });
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
  while (to < texts.length && to - from < BATCH_TEXTS_MAX) {
    characters += (texts[to] as string).length;
    if (to > from && characters > BATCH_CHARACTERS_MAX) break;
    to++;
  }
  return texts.slice(from, to);
}
