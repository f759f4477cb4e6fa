// The tags that a CDN keeps with a response, and those that it purges after a write (R66): a write purges a tag of each
// response that it makes out of date, and of no other.
import { createHmac } from 'node:crypto';
import { type Origin, type Touch, touchesOn } from '../store/engine/touches.ts';

export type Tagger = (text: string) => string;

const TAG_CHARACTERS = 16;
const ALL = 'all';
const LISTS = 'lists';

/** Tags say nothing to those who lack the key, not even whether a team or product exists (R9). */
export function createTagger(cursorKey: string): Tagger {
  // A key of their own: tags and cursors have nothing in common.
  const key = createHmac('sha256', cursorKey).update('cache tags').digest();
  return (text) => createHmac('sha256', key).update(text).digest('base64url').slice(0, TAG_CHARACTERS);
}

/** The texts of a response's tags, the widest first. */
export function tagTextsOf({ teamId, productId }: Origin): string[] {
  if (teamId === null) return [ALL, LISTS];
  if (productId === null) return [ALL, `team ${teamId}`, `team-lists ${teamId}`];
  return [ALL, `team ${teamId}`, `product ${productId}`];
}

/** The texts of the tags to purge; none if nothing public was touched. */
export function purgedTextsOf(touches: readonly Touch[]): string[] {
  const texts = new Set(touchesOn('public', touches).flatMap(purgedBy));
  return texts.has(ALL) ? [ALL] : [...texts];
}

function purgedBy(touch: Touch): string[] {
  switch (touch.kind) {
    case 'everything':
      return [ALL];
    case 'team':
      return [`team ${touch.teamId}`, LISTS];
    case 'keys':
      return [];
    case 'product':
      return [`product ${touch.productId}`, `team-lists ${touch.teamId}`, LISTS];
  }
}
