import type { PublicationState, Visibility } from '../domain/model.ts';
import type { Cli } from './cli.ts';
import { escapeName } from './terminal/plain.ts';

const HIDING = {
  draft: 'is a draft',
  locked: 'is locked, and its content cannot be changed',
  private: 'is private',
} as const;

/** Warns if this state hides something: people who lock a product to freeze it do not expect it to disappear. */
export function sayIfHidden(cli: Cli, what: string, state: PublicationState | Visibility | undefined): void {
  if (state === undefined || state === 'published' || state === 'public') return;
  cli.say(
    `The public API does not show ${escapeName(what)} while it ${HIDING[state]}. API keys still read it.`,
  );
}
