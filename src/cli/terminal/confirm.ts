// Asks before something is deleted. Without a terminal, as in a script, nothing is asked.
import type { Command } from 'commander';
import { Refusal } from '../../errors.ts';
import { asReader, type Reader } from '../../store/engine/engine.ts';
import type { Cli } from '../cli.ts';
import { dryRun } from '../dry-run.ts';
import { escapeControls } from './plain.ts';

type YesFlag = { yes?: boolean };

export function withYes(command: Command): Command {
  return command.option('--yes', 'do not ask before deleting');
}

export function needsConfirmation(cli: Cli, { yes = false }: YesFlag): boolean {
  return !yes && cli.ask !== undefined;
}

/** `describe` throws if there is nothing to delete. */
export async function confirmDeletion(
  cli: Cli,
  flags: YesFlag,
  describe: (db: Reader) => Promise<string>,
): Promise<void> {
  if (!needsConfirmation(cli, flags)) return;
  // In a separate transaction, so that no lock is held while the user thinks.
  const what = await dryRun(cli, (trx) => describe(asReader(trx)));
  await confirm(cli, flags, `Delete ${what}?`);
}

export async function confirm(cli: Cli, { yes = false }: YesFlag, question: string): Promise<void> {
  if (yes || cli.ask === undefined) return;
  const answer = await cli.ask(`${escapeControls(question)} [y/N] `);
  if (!/^y(?:es)?$/i.test(answer.trim())) throw new Refusal('nothing was deleted; answer y or use --yes');
}

/** `acme with 3 products and 1 API key` */
export function withCounts(what: string, counts: Readonly<Record<string, number>>): string {
  const text = formatCounts(counts);
  return text === '' ? what : `${what} with ${text}`;
}

/** Counts by noun in the singular, without zeros: `3 products, 120 versions and 1 API key`. */
export function formatCounts(counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([noun, count]) => `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`);
  return new Intl.ListFormat('en-GB').format(parts);
}
