import { createHeldAnswers, type HeldAnswers } from './response-cache.ts';

/** Of all the room, what is kept for answers to questions with parameters. */
const SHARE_WITH_PARAMETERS = 1 / 4;

/**
 * Anybody can make up ever new values of parameters, each of which is an answer of its own: they may push out one
 * another, but never a whole changelog or a version.
 */
export function createHeldRooms(bytesMax: number): HeldAnswers {
  const withParameters = createHeldAnswers(bytesMax * SHARE_WITH_PARAMETERS);
  const plain = createHeldAnswers(bytesMax * (1 - SHARE_WITH_PARAMETERS));
  const roomOf = (key: string) => (key.includes('?') ? withParameters : plain);
  return {
    // Most of what is asked for has none, and is found without a look at the key.
    find: (key) => {
      const found = plain.find(key);
      return found === undefined ? withParameters.find(key) : found;
    },
    keep: (key, answer, origin) => roomOf(key).keep(key, answer, origin),
    weigh: (key, answer) => roomOf(key).weigh(key, answer),
    keepMiss: (key) => roomOf(key).keepMiss(key),
    forget: (key) => roomOf(key).forget(key),
    drop: (touches) => {
      plain.drop(touches);
      withParameters.drop(touches);
    },
    size: () => {
      const [one, other] = [plain.size(), withParameters.size()];
      return { answers: one.answers + other.answers, bytes: one.bytes + other.bytes };
    },
  };
}
