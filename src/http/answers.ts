import type { Surface } from '../domain/model.ts';
import type { Reader } from '../store/engine.ts';
import { isUnavailable } from '../store/failures.ts';
import type { Origin, Seen } from '../store/reads.ts';
import type { Source } from '../store/source.ts';
import type { Answer, Form } from './answer.ts';
import type { Encoding } from './encodings.ts';
import type { HeldAnswers } from './held-answers.ts';

/** For how long an answer may outlive the last contact with the database (R30). */
const AWAY_MS_MAX = 60_000;

export type Question = Readonly<{
  surface: Surface;
  /** The whole path, and the parameters that count: those of the two surfaces are never the same. */
  key: string;
  encoding: Encoding | null;
  /** When the request came: what it has spent on an earlier question to the database is gone from its time. */
  startedAt: number;
}>;
export type Made = Readonly<{ answer: Answer; origin: Origin }>;
type Make = (db: Reader) => Promise<Seen<Made>>;
/** How an answer was come by. */
export type Way = 'held' | 'read' | 'held_away';
/** Null where there is nothing. */
type Found = Form | null;

/**
 * Answers from what is held where that still stands, and else from the database, one query however many wait for it.
 * While the database is away, what is public and held goes on for a while; everything else fails (R29, R30). What is
 * held is answered at once, without a promise.
 */
export function createAnswers(source: Source, held: HeldAnswers, onAnswer: (way: Way) => void) {
  const underway = new Map<string, Promise<Answer | null>>();
  source.onTouched(held.drop);

  async function read(key: string, make: Make, spentMs: number): Promise<Answer | null> {
    const { revision, found } = await source.read(make, spentMs);
    // What was read just before a write that is known by now must not be taken for what comes after it.
    const isCurrent = revision >= source.revision();
    if (found === undefined) {
      // It may be held from before: what is known to be gone must not come back while the database is away.
      held.forget(key);
      if (isCurrent) held.keepMiss(key);
      return null;
    }
    if (isCurrent) held.keep(key, found.answer, found.origin);
    return found.answer;
  }

  function readOnce(key: string, make: Make, spentMs: number): Promise<Answer | null> {
    const begun = underway.get(key);
    if (begun !== undefined) return begun;
    const reading = read(key, make, spentMs).finally(() => underway.delete(key));
    underway.set(key, reading);
    return reading;
  }

  function inForm({ key, encoding }: Question, answer: Answer | null): Found | Promise<Found> {
    return answer === null ? null : answer.in(encoding, () => held.weigh(key, answer));
  }

  async function readOrOutlive(
    question: Question,
    make: Make,
    kept: Answer | null | undefined,
  ): Promise<Found> {
    const { surface, key, startedAt } = question;
    try {
      const answer = await readOnce(key, make, performance.now() - startedAt);
      onAnswer('read');
      return await inForm(question, answer);
    } catch (error) {
      const mayOutlive = surface === 'public' && source.unconfirmedMs() <= AWAY_MS_MAX;
      if (!kept || !mayOutlive || !isUnavailable(error)) throw error;
      onAnswer('held_away');
      return await inForm(question, kept);
    }
  }

  function answer(question: Question, make: Make, isConfirmed: boolean): Found | Promise<Found> {
    const kept = held.find(question.key);
    if (kept === undefined || !isConfirmed) return readOrOutlive(question, make, kept);
    onAnswer('held');
    return inForm(question, kept);
  }

  return (question: Question, make: Make): Found | Promise<Found> => {
    const isConfirmed = source.isConfirmed();
    return typeof isConfirmed === 'boolean'
      ? answer(question, make, isConfirmed)
      : isConfirmed.then((confirmed) => answer(question, make, confirmed));
  };
}

export type Answers = ReturnType<typeof createAnswers>;
