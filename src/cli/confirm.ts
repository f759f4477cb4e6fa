// Asks before something is deleted or replaced. Without a terminal, as in a script, nothing is deleted without `--yes`.
import { Refusal } from '../errors.ts';
import type { Writer } from '../store/engine/engine.ts';
import { type Cli, dryRun, type WriteOptions, withWriter } from './cli.ts';
import { count, escapeControls } from './terminal/plain.ts';

export type Deed = 'delete' | 'replace';

export const YES = 'delete without asking; needed without a terminal';

/** Runs `work`. Unless this is agreed, it asks first if a dry run finds something to delete. */
export async function writeAgreed<T>(
  cli: Cli,
  isAgreed: boolean,
  work: (trx: Writer) => Promise<T>,
  describeDeleted: (result: T) => string,
  options: WriteOptions = {},
): Promise<T> {
  if (isAgreed) return await withWriter(cli, work, options);
  // In a separate transaction, so that no lock is held while the user thinks.
  const agreed = describeDeleted(await dryRun(cli, work, options));
  if (agreed !== '') await confirm(cli, agreed);
  const check = async (trx: Writer) => {
    const result = await work(trx);
    const found = describeDeleted(result);
    if (found !== '' && found !== agreed) throw notAgreedError(found);
    return result;
  };
  return await withWriter(cli, check, options);
}

/** Another process may have written after the question, or after a dry run that found nothing to delete. */
export function notAgreedError(found: string): Refusal {
  return new Refusal(
    `another process has written in the meantime, and this would now delete ${found}; run this again`,
  );
}

export async function confirm(cli: Cli, what: string, deed: Deed = 'delete'): Promise<void> {
  if (cli.ask === undefined)
    throw new Refusal(`there is no terminal to ask at, and this would ${deed} ${what}; use --yes`);
  const answer = await cli.ask(`${deed === 'delete' ? 'Delete' : 'Replace'} ${escapeControls(what)}? [y/N] `);
  if (!/^y(?:es)?$/i.test(answer.trim())) throw new Refusal(`nothing was ${deed}d; answer y or use --yes`);
}

/** `acme with 3 products and 1 API key` */
export function withCounts(what: string, counts: Readonly<Record<string, number>>): string {
  const text = formatCounts(counts);
  return text === '' ? what : `${what} with ${text}`;
}

/** `3 products, 120 versions and 1 API key`, from counts by singular noun. Zeros are left out. */
export function formatCounts(counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts)
    .filter(([, amount]) => amount > 0)
    .map(([noun, amount]) => count(amount, noun));
  return new Intl.ListFormat('en-GB').format(parts);
}
