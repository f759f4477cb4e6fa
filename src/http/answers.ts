import type { Surface } from '../domain/model.ts';
import type { Reader } from '../store/engine.ts';
import { isUnavailable } from '../store/failures.ts';
import type { Origin, Seen } from '../store/reads.ts';
import type { Source } from '../store/source.ts';
import type { Answer, HeldAnswers } from './held-answers.ts';

/** For how long an answer may outlive the last contact with the database (R30). */
const AWAY_MS_MAX = 60_000;

export type Question = Readonly<{
  surface: Surface;
  path: string;
  /** What the request has spent on an earlier question to the database. */
  spentMs?: number;
}>;
export type Made = Readonly<{ answer: Answer; origin: Origin }>;
type Make = (db: Reader) => Promise<Seen<Made>>;
/** How an answer was come by. */
export type Way = 'held' | 'read' | 'held_away';

/**
 * Answers from what is held where that still stands, and else from the database, one query however many wait for it.
 * While the database is away, what is public and held goes on for a while; everything else fails (R29, R30).
 */
export function createAnswers(source: Source, held: HeldAnswers, onAnswer: (way: Way) => void) {
  const underway = new Map<string, Promise<Answer | undefined>>();
  source.onTouched(held.drop);

  async function read(key: string, make: Make, spentMs: number): Promise<Answer | undefined> {
    const { revision, found: made } = await source.read(make, spentMs);
    if (made === undefined) {
      // It may be held from before: what is known to be gone must not come back while the database is away.
      held.forget(key);
      return undefined;
    }
    // What was read just before a write that is known by now must not be taken for what comes after it.
    if (revision >= source.revision()) held.keep(key, made.answer, made.origin);
    return made.answer;
  }

  function readOnce(key: string, make: Make, spentMs: number): Promise<Answer | undefined> {
    const begun = underway.get(key);
    if (begun !== undefined) return begun;
    const reading = read(key, make, spentMs).finally(() => underway.delete(key));
    underway.set(key, reading);
    return reading;
  }

  return async ({ surface, path, spentMs = 0 }: Question, make: Make) => {
    const key = `${surface} ${path}`;
    const isConfirmed = await source.isConfirmed();
    const kept = held.find(key);
    if (kept !== undefined && isConfirmed) {
      onAnswer('held');
      return kept;
    }
    try {
      const answer = await readOnce(key, make, spentMs);
      onAnswer('read');
      return answer;
    } catch (error) {
      const mayOutlive = surface === 'public' && source.unconfirmedMs() <= AWAY_MS_MAX;
      if (kept === undefined || !mayOutlive || !isUnavailable(error)) throw error;
      onAnswer('held_away');
      return kept;
    }
  };
}

export type Answers = ReturnType<typeof createAnswers>;
