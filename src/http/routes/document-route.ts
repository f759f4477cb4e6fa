// Documents that the server makes of itself: no database is asked, and each is made once, when somebody wants it.

import { sendConditionally } from '../cache/conditional.ts';
import { chooseEncoding } from '../cache/encodings.ts';
import { CachedResponse, type EncodedResponse } from '../cache/response.ts';
import type { Route } from '../line/router.ts';
import type { Send } from '../line/send.ts';
import type { Stage } from '../line/stages.ts';
import { stagesByMethod } from './read-route.ts';

export type ServedDocument = Readonly<{
  pattern: string;
  contentType: string;
  cacheControl: string;
  /** What every request passes, whatever its method. */
  stages: readonly Stage[];
  make: () => Promise<GeneratedDocument>;
}>;

export type GeneratedDocument = Readonly<{
  text: string;
  /** Further headers, each name followed by its value. */
  head?: readonly string[];
}>;

type CachedDocument = Readonly<{ answer: CachedResponse; head: readonly string[] }>;

export function documentRoute(served: ServedDocument, send: Send): Route {
  const { pattern, contentType, cacheControl, stages } = served;
  let made: Promise<CachedDocument> | null = null;

  async function make(): Promise<CachedDocument> {
    const { text, head = [] } = await served.make();
    return { answer: new CachedResponse(Buffer.from(text), { cacheControl, contentType }), head };
  }

  const answerDocument: Stage = (exchange, next) => {
    made ??= make().catch((error) => {
      // Whoever asks next may have more luck.
      made = null;
      throw error;
    });
    made
      .then(async ({ answer, head }) => {
        const form: EncodedResponse = await answer.in(
          chooseEncoding(exchange.request.headers['accept-encoding']),
          () => {},
        );
        exchange.head.push(...head);
        sendConditionally(send, exchange, form);
      })
      .catch(next);
  };

  return { pattern, stagesFor: stagesByMethod(stages, [answerDocument], send) };
}
