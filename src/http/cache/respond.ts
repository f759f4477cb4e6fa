// Where a response comes from: the cache while that is current, otherwise the database (R29), and while that is down
// the cache again, for a while (R30). The same URL is made once for all clients that wait for it.
import { isUnavailable } from '../../store/engine/failures.ts';
import type { Source } from '../../store/source/source.ts';
import { limitConcurrency } from '../guards/concurrency.ts';
import { ClientGone, type Exchange } from '../pipeline/exchange.ts';
import type { Counts } from '../telemetry/counts.ts';
import type { Encoding } from './encodings.ts';
import { createMake, type Job, type Made, TURNED_OUT_LONG } from './make-response.ts';
import { type CachedResponse, type EncodedResponse, needsBody, withoutLifetime } from './response.ts';
import type { ResponseCache } from './response-cache.ts';

/** How long cached responses may be served after the last contact with the database (R30). */
const STALE_WHILE_DOWN_MS_MAX = 60_000;
/**
 * A client that closed its side of the connection rarely still wants its response. It counts as gone after this many
 * parts, which is enough for a page or a feed.
 */
const HALF_GONE_PARTS_MAX = 20;

export type CacheQuery = Pick<Job, 'key' | 'surface' | 'kind' | 'find'> &
  Readonly<{
    /** Whether it is known to be long before anything is read (R52). */
    isLong: boolean;
    encoding: Encoding | null;
  }>;

export type Responses = ReturnType<typeof createResponses>;

type Client = Pick<Exchange, 'client' | 'request' | 'response' | 'startedAt'>;

/**
 * Of one client, or of all that wait for the same response. A client no longer waits once it has closed the connection; for
 * a long response, also once it has closed its side of it.
 */
type IsWaiting = (isLong: boolean) => boolean;

/** Null for a 404. */
export function createResponses(source: Source, cache: ResponseCache, counts: Counts['responses']) {
  const inSlot = limitConcurrency();
  const makings = new Map<string, Making>();
  const make = createMake(source, cache, (key) => {
    // Requests from now on must see the new content.
    makings.delete(key);
    makings.delete(longName(key));
  });

  function once(name: string, isWaiting: IsWaiting, makeFor: (making: Making) => Promise<Made>) {
    const running = makings.get(name);
    if (running !== undefined) return running.join(isWaiting);
    const making = new Making(isWaiting, makeFor);
    const end = () => {
      if (makings.get(name) === making) makings.delete(name);
    };
    makings.set(name, making);
    making.made.then(end, end);
    return making.made;
  }

  /**
   * Clients share a response that is being made, but each waits for its own slot: otherwise a client that has used up
   * its slots would hold up others that ask for the same response.
   */
  async function makeOnce(exchange: Client, query: CacheQuery): Promise<CachedResponse | null> {
    const { key, isLong } = query;
    const { client, request, response, startedAt } = exchange;
    const spentMs = performance.now() - startedAt;
    const isWaiting: IsWaiting = (isLong) => !response.destroyed && !(isLong && request.socket.readableEnded);
    let own: Made | undefined;
    const makeFor = (hasSlot: boolean) => async (making: Making) => {
      own = await make({ ...query, spentMs, hasSlot, requireWanted: making.requireWanted });
      return own;
    };
    // The slot comes before the first query, so waiting requests hold no rows.
    const makeLong = (making: Making) =>
      inSlot(exchange, async () => {
        const cached = (await source.isConfirmed()) ? cache.find(key) : undefined;
        if (cached !== undefined && !cached?.isStreamed) return cached;
        return await once(longName(key), making.isWaiting, makeFor(true));
      });
    let made = isLong ? TURNED_OUT_LONG : await once(key, isWaiting, makeFor(false));
    if (made === TURNED_OUT_LONG)
      made = await (makings.get(longName(key))?.join(isWaiting) ??
        once(`${client} ${longName(key)}`, isWaiting, makeLong));
    // It is streamed to the client that it was made for.
    if (isStreamed(made) && made !== own)
      made = await inSlot(exchange, () => new Making(isWaiting, makeFor(true)).made);
    return made as CachedResponse | null;
  }

  async function respond(exchange: Client, query: CacheQuery): Promise<EncodedResponse | null> {
    const { key, surface, encoding } = query;
    const encode = async (response: CachedResponse | null) =>
      response && (await response.in(encoding, () => cache.resize(key, response)));
    const isUnread = ({ plain }: CachedResponse) => !needsBody(exchange.request, plain.etag);
    const isConfirmed = await source.isConfirmed();
    const cached = cache.find(key);
    if (isConfirmed && cached !== undefined && (!cached?.isStreamed || isUnread(cached))) {
      counts.cache++;
      return await encode(cached);
    }
    try {
      const made = await makeOnce(exchange, query);
      counts.database++;
      if (made?.isStreamed && isUnread(made)) made.cancel();
      // A large response may never be requested again, so only later requests, served from memory, get it compressed.
      return made?.isLarge ? made.plain : await encode(made);
    } catch (error) {
      const mayBeStale = surface === 'public' && source.unconfirmedMs() <= STALE_WHILE_DOWN_MS_MAX;
      if (!cached || cached.isStreamed || !mayBeStale || !isUnavailable(error)) throw error;
      counts.stale_cache++;
      const response = await encode(cached);
      return response && withoutLifetime(response);
    }
  }

  /** From the cache, at once; undefined if it is not there or may be out of date, and a promise while that is not known. */
  function find(
    key: string,
    encoding: Encoding | null,
  ): EncodedResponse | null | undefined | Promise<unknown> {
    const isConfirmed = source.isConfirmed();
    if (isConfirmed instanceof Promise) return isConfirmed;
    const cached = isConfirmed ? cache.find(key) : undefined;
    if (cached === undefined || cached?.isStreamed) return undefined;
    const response = cached === null ? null : cached.ready(encoding);
    if (response !== undefined) counts.cache++;
    return response;
  }

  return { find, respond };
}

const longName = (key: string) => `long ${key}`;

const isStreamed = (made: Made) => made !== TURNED_OUT_LONG && made?.isStreamed;

/** A response being made, and the clients that wait for it. It is abandoned once none of them does. */
class Making {
  readonly made: Promise<Made>;
  readonly #waiting: IsWaiting[];
  #parts = 0;

  constructor(first: IsWaiting, make: (making: Making) => Promise<Made>) {
    this.#waiting = [first];
    this.made = make(this);
  }

  join(isWaiting: IsWaiting): Promise<Made> {
    this.#waiting.push(isWaiting);
    return this.made;
  }

  isWaiting: IsWaiting = (isLong) => this.#waiting.some((isWaiting) => isWaiting(isLong));

  /** Call it before each part. */
  requireWanted = (): void => {
    this.#parts++;
    if (!this.isWaiting(this.#parts > HALF_GONE_PARTS_MAX)) throw new ClientGone();
  };
}
