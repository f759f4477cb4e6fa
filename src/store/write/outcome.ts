// What the parts of `apply` share: outcomes, comparing rows, and the message about locked content.
import { COMMAND } from '../../command-name.ts';

export type Outcome = Readonly<{
  action: 'created' | 'changed' | 'unchanged' | 'deleted';
  kind: 'team' | 'product' | 'changelog' | 'version';
  name: string;
}>;

/** Outcomes are reported one by one, for the progress bar. */
export type Report<T> = (
  outcome: T,
  /** The date of a version that is published now; null or absent for everything else. */
  publishedAt?: string | null,
  /** When a draft is to be published; null or absent for everything else. */
  publishAt?: string | null,
) => void;

export type ReportOutcome = Report<Outcome>;

/** True if any of the wanted fields differs in the row. */
export function differs(row: object, wanted: object): boolean {
  for (const key in wanted)
    if ((row as Record<string, unknown>)[key] !== (wanted as Record<string, unknown>)[key]) return true;
  return false;
}

export function lockedMessage(lock: string, name: string): string {
  return `the ${lock} ${name} is locked, and this would change it; unlock it first: ${COMMAND} ${lock} set ${name} --status published`;
}
