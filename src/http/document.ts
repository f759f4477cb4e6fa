// Documents without rows, made on the first request, which also loads their code: startup does not wait for them.
import type { Config } from '../config.ts';
import type { Site } from '../present/pages/document.ts';
import { chooseEncoding, type Levels } from './cache/encodings.ts';
import { CachedResponse, sendConditionally } from './cache/response.ts';
import type { Stage } from './pipeline/exchange.ts';
import type { Guards } from './pipeline/router.ts';
import type { Send } from './pipeline/send.ts';
import type { Read } from './read.ts';

/** Makes it; null for a 204. */
export type Document = ((context: DocumentContext, variant: string) => Promise<GeneratedDocument | null>) &
  Readonly<{
    /** Which of a few documents, each of which is kept. Throws if a parameter is invalid. */
    variantOf?: (target: string) => string;
  }>;

export type DocumentContext = Readonly<{ config: Config; site: Site; reads: readonly RoutedRead[] }>;

/** `either` where a key is optional. */
export type RoutedRead = Readonly<{ path: string; surface: Guards['surface'] | 'either'; read: Read }>;

type GeneratedDocument = Readonly<{
  contentType: string;
  text: string;
  /** More headers, each name followed by its value. */
  head?: readonly string[];
  levels?: Levels;
}>;

export function handleDocument(
  make: Document,
  cacheControl: string,
  { send, context }: Readonly<{ send: Send; context: () => DocumentContext }>,
): Stage {
  const responses = new Map<string, Promise<CachedResponse | null>>();

  async function respond(variant: string): Promise<CachedResponse | null> {
    const generated = await make(context(), variant);
    if (generated === null) return null;
    const { text, ...kind } = generated;
    return new CachedResponse([Buffer.from(text)], { cacheControl, ...kind });
  }

  return async (exchange) => {
    const variant = make.variantOf?.(exchange.request.url ?? '') ?? '';
    const made = responses.get(variant) ?? respond(variant);
    responses.set(variant, made);
    // The next request tries again.
    made.catch(() => responses.delete(variant));
    const response = await made;
    if (response !== null) {
      const encoding = chooseEncoding(exchange.request.headers['accept-encoding']);
      sendConditionally(send, exchange, await response.in(encoding, () => {}));
    } else {
      exchange.head.push('cache-control', cacheControl);
      send(exchange, 204, null);
    }
    return undefined;
  };
}
