// Documents about the server itself: no database is read, and each is made once, for the first request.
import { sendConditionally } from '../cache/conditional.ts';
import { chooseEncoding } from '../cache/encodings.ts';
import { CachedResponse } from '../cache/response.ts';
import type { Send } from '../line/send.ts';
import type { Stage } from '../line/stages.ts';

export type GeneratedDocument = Readonly<{
  contentType: string;
  text: string;
  /** Further headers, each name followed by its value. */
  head?: readonly string[];
}>;

export function sendDocument(
  generate: () => Promise<GeneratedDocument>,
  { cacheControl, send }: Readonly<{ cacheControl: string; send: Send }>,
): Stage {
  let made: ReturnType<typeof make> | null = null;

  async function make() {
    const { text, contentType, head = [] } = await generate();
    return { response: new CachedResponse([Buffer.from(text)], { cacheControl, contentType }), head };
  }

  return (exchange, next) => {
    made ??= make().catch((error) => {
      // The next request tries again.
      made = null;
      throw error;
    });
    made
      .then(async ({ response, head }) => {
        const encoding = chooseEncoding(exchange.request.headers['accept-encoding']);
        const encoded = await response.in(encoding, () => {});
        exchange.head.push(...head);
        sendConditionally(send, exchange, encoded);
      })
      .catch(next);
  };
}
