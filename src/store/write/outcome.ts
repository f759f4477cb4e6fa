// What the parts of an apply share: what became of a thing, whether it changes, and why it may not.

export type Outcome = Readonly<{
  action: 'created' | 'changed' | 'unchanged' | 'deleted';
  kind: 'team' | 'product' | 'changelog' | 'version';
  name: string;
}>;

/** Outcomes are told one by one: there may be too many to hold. */
export type ReportOutcome = (outcome: Outcome) => void;

/** Does the row hold anything else than the wanted fields? */
export function differs(row: object, wanted: object): boolean {
  for (const key in wanted)
    if ((row as Record<string, unknown>)[key] !== (wanted as Record<string, unknown>)[key]) return true;
  return false;
}

export function lockedMessage(lock: string, name: string): string {
  return `the ${lock} ${name} is locked, and this would change it; unlock it first: changelog ${lock} set ${name} --status published`;
}
