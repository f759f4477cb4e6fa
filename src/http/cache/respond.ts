import type { Surface } from '../../domain/model.ts';
import { ApiError } from '../../errors.ts';
import { yieldToEventLoop } from '../../present/html/slices.ts';
import type { Reader } from '../../store/engine/engine.ts';
import { isUnavailable } from '../../store/engine/failures.ts';
import { affects, type Origin, touchesOn } from '../../store/engine/touches.ts';
import type { AtRevision } from '../../store/read/reads.ts';
import type { Source } from '../../store/source/source.ts';
import { LONG_RESPONSE_LIMITS, limitConcurrency, type SlotRequest } from '../guards/concurrency.ts';
import type { Encoding } from './encodings.ts';
import type { CachedResponse, EncodedResponse } from './response.ts';
import { type ResponseCache, surfaceOf } from './response-cache.ts';

/** For how long an answer may be known to be out of date before it leaves (R29); beyond it, it is begun anew. */
const STALE_MS_MAX = 500;
/** How often it is begun in all. */
const ATTEMPTS_MAX = 3;
const TOO_MANY_WRITES = new ApiError('unavailable', {
  headers: { 'retry-after': 1 },
  cause: new Error('what a long answer tells of changed again and again'),
});
/** For how long an answer may outlive the last contact with the database (R30). */
const STALE_WHILE_DOWN_MS_MAX = 60_000;

/** Thrown by what writes a response in several reads, if something was written between two of them. */
export class ContentChanged extends Error {
  override readonly name = 'ChangedMeanwhile';
}

function nullIfChanged(error: unknown): null {
  if (error instanceof ContentChanged) return null;
  throw error;
}

export type CacheQuery = Readonly<{
  surface: Surface;
  /** The whole path, and the parameters that count: those of the two surfaces are never the same. */
  key: string;
  /** Whose turn it takes to make it; null where a response is short. */
  longFor: SlotRequest | null;
  encoding: Encoding | null;
  /** When the request came: what it has spent on an earlier question to the database is gone from its time. */
  startedAt: number;
}>;
/** An answer, or what makes it of what was read, where that takes too long to be part of the question. */
export type Prepared = Readonly<{
  answer: CachedResponse | ((read: ReadMore) => Promise<CachedResponse>);
  origin: Origin;
}>;
type Make = (db: Reader) => Promise<AtRevision<Prepared>>;
/** Reads what follows, where not all of it was read at once. */
export type ReadMore = <T>(query: (db: Reader) => Promise<T>) => Promise<T>;
/** How an answer was come by. */
export type CacheOutcome = 'held' | 'read' | 'held_away';
type InWriting = {
  readonly key: string;
  readonly origin: Origin;
  isCurrent: boolean;
  /** When it was first known that what it tells of was written to. */
  touchedAt: number | null;
};
/** Null where there is nothing. */
type Found = EncodedResponse | null;

/**
 * Answers from what is held where that still stands, and else from the database, one query however many wait for it.
 * While the database is away, what is public and held goes on for a while; everything else fails (R29, R30). What is
 * held is answered at once, without a promise.
 */
export function createResponses(source: Source, held: ResponseCache, onAnswer: (way: CacheOutcome) => void) {
  const underway = new Map<string, Promise<CachedResponse | null>>();
  const inTurn = limitConcurrency(LONG_RESPONSE_LIMITS);
  /** Answers that are being written of rows that were read already. */
  const inWriting = new Set<InWriting>();

  source.onTouched((touches) => {
    held.drop(touches);
    for (const writing of inWriting) {
      const visible = touchesOn(surfaceOf(writing.key), touches);
      if (!visible.some((touch) => affects(touch, writing.origin))) continue;
      writing.isCurrent = false;
      writing.touchedAt ??= performance.now();
      // Whoever asks from now on wants what was written since.
      underway.delete(writing.key);
    }
  });

  async function read(
    key: string,
    make: Make,
    spentMs: number,
    readings = 1,
  ): Promise<CachedResponse | null> {
    // A database within this process answers at once: of many requests that come in together, all would be read before
    // anybody else is answered.
    await yieldToEventLoop();
    const { revision, found } = await source.read(make, spentMs);
    // What was read just before a write that is known by now must not be taken for what comes after it.
    const isCurrent = revision >= source.revision(surfaceOf(key));
    if (found === undefined) {
      // It may be held from before: what is known to be gone must not come back while the database is away.
      held.forget(key);
      if (isCurrent) held.keepMiss(key);
      return null;
    }
    const { answer, origin } = found;
    if (typeof answer === 'function') {
      const writing: InWriting = { key, origin, isCurrent, touchedAt: null };
      const written = await write(answer, writing).catch(nullIfChanged);
      const { touchedAt } = writing;
      const isFresh = touchedAt === null || performance.now() - touchedAt <= STALE_MS_MAX;
      if (written !== null && isFresh) return written;
      if (readings === ATTEMPTS_MAX) throw TOO_MANY_WRITES;
      return await read(key, make, spentMs, readings + 1);
    }
    if (isCurrent) held.keep(key, answer, origin);
    return answer;
  }

  async function write(
    finish: (read: ReadMore) => Promise<CachedResponse>,
    writing: InWriting,
  ): Promise<CachedResponse> {
    inWriting.add(writing);
    try {
      const answer = await finish((query) => source.read(query));
      await source.isConfirmed();
      if (writing.isCurrent) held.keep(writing.key, answer, writing.origin);
      return answer;
    } finally {
      inWriting.delete(writing);
    }
  }

  function readOnce(question: CacheQuery, make: Make): Promise<CachedResponse | null> {
    const { key, longFor, startedAt } = question;
    const begun = underway.get(key);
    if (begun !== undefined) return begun;
    // The time that a request waits for its turn is not taken from the time that it has for the database.
    const spentMs = performance.now() - startedAt;
    const readNow = () => read(key, make, spentMs);
    const makeLong = async () => {
      const answer = await readNow();
      // Compressing it is a part of the work.
      await inFirstForm(question, answer);
      return answer;
    };
    // The turn comes before the first query: what waits has read nothing yet.
    const reading = (longFor === null ? readNow() : inTurn(longFor, makeLong)).finally(() => {
      if (underway.get(key) === reading) underway.delete(key);
    });
    underway.set(key, reading);
    return reading;
  }

  function inForm({ key, encoding }: CacheQuery, answer: CachedResponse | null): Found | Promise<Found> {
    return answer === null ? null : answer.in(encoding, () => held.weigh(key, answer));
  }

  /** A large one may never be asked for again: whoever has it from memory has it compressed. */
  function inFirstForm(question: CacheQuery, answer: CachedResponse | null): Found | Promise<Found> {
    return answer?.isLarge ? answer.plain : inForm(question, answer);
  }

  async function readOrOutlive(
    question: CacheQuery,
    make: Make,
    kept: CachedResponse | null | undefined,
  ): Promise<Found> {
    const { surface } = question;
    try {
      const answer = await readOnce(question, make);
      onAnswer('read');
      return await inFirstForm(question, answer);
    } catch (error) {
      const mayOutlive = surface === 'public' && source.unconfirmedMs() <= STALE_WHILE_DOWN_MS_MAX;
      if (!kept || !mayOutlive || !isUnavailable(error)) throw error;
      onAnswer('held_away');
      return await inForm(question, kept);
    }
  }

  function answer(question: CacheQuery, make: Make, isConfirmed: boolean): Found | Promise<Found> {
    const kept = held.find(question.key);
    if (kept === undefined || !isConfirmed) return readOrOutlive(question, make, kept);
    onAnswer('held');
    return inForm(question, kept);
  }

  return (question: CacheQuery, make: Make): Found | Promise<Found> => {
    const isConfirmed = source.isConfirmed();
    return typeof isConfirmed === 'boolean'
      ? answer(question, make, isConfirmed)
      : isConfirmed.then((confirmed) => answer(question, make, confirmed));
  };
}

export type Responses = ReturnType<typeof createResponses>;
