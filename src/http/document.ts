// Documents without rows, made on the first request, which also loads their code: startup does not wait for them.
import type { Config } from '../config.ts';
import type { Site } from '../present/pages/views.ts';
import { sendConditionally } from './cache/conditional.ts';
import { chooseEncoding, type Levels } from './cache/encodings.ts';
import { CachedResponse } from './cache/response.ts';
import type { Guards } from './pipeline/router.ts';
import type { Send } from './pipeline/send.ts';
import type { Stage } from './pipeline/stages.ts';
import type { Read } from './read.ts';

/** Null for a 204. */
export type Document = (context: DocumentContext) => Promise<GeneratedDocument | null>;

export type DocumentContext = Readonly<{ config: Config; site: Site; reads: readonly RoutedRead[] }>;

/** `either` where a key is optional. */
export type RoutedRead = Readonly<{ path: string; surface: Guards['surface'] | 'either'; read: Read }>;

export type GeneratedDocument = Readonly<{
  contentType: string;
  text: string;
  /** More headers, each name followed by its value. */
  head?: readonly string[];
  levels?: Levels;
}>;

export function handleDocument(
  document: Document,
  cacheControl: string,
  { send, context }: Readonly<{ send: Send; context: () => DocumentContext }>,
): Stage {
  let made: ReturnType<typeof make> | null = null;

  async function make() {
    const generated = await document(context());
    if (generated === null) return null;
    const { text, ...kind } = generated;
    return new CachedResponse([Buffer.from(text)], { cacheControl, ...kind });
  }

  return (exchange, next) => {
    made ??= make().catch((error) => {
      // The next request tries again.
      made = null;
      throw error;
    });
    made
      .then(async (response) => {
        if (response === null) {
          exchange.head.push('cache-control', cacheControl);
          return send(exchange, 204, null);
        }
        const encoding = chooseEncoding(exchange.request.headers['accept-encoding']);
        sendConditionally(send, exchange, await response.in(encoding, () => {}));
      })
      .catch(next);
  };
}
