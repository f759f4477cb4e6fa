// The question before something is deleted. Where nobody could answer it, in a script, nothing is asked.
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

/** Will a person be asked? If not, there is no need to find out about what. */
export function needsConfirmation(cli: Cli, { yes = false }: YesFlag): boolean {
  return !yes && cli.ask !== undefined;
}

/** `describe` says what would go, and what with it; it refuses what is not there. */
export async function confirmDeletion(
  cli: Cli,
  flags: YesFlag,
  describe: (db: Reader) => Promise<string>,
): Promise<void> {
  if (!needsConfirmation(cli, flags)) return;
  // In a transaction of its own, for a person may take their time; and rolled back, for they may say no.
  const what = await dryRun(cli, (trx) => describe(asReader(trx)));
  await confirm(cli, flags, `Delete ${what}?`);
}

/** Returns if the person agrees, and else refuses. */
export async function confirm(cli: Cli, { yes = false }: YesFlag, question: string): Promise<void> {
  if (yes || cli.ask === undefined) return;
  const answer = await cli.ask(`${escapeControls(question)} [y/N] `);
  if (!/^y(?:es)?$/i.test(answer.trim()))
    throw new Refusal('nothing was deleted; answer y, or add --yes, to delete it.');
}

/** `acme with 3 products and 1 API key`; what there is none of is left out. */
export function withCounts(what: string, counts: Readonly<Record<string, number>>): string {
  const written = formatCounts(counts);
  return written === '' ? what : `${what} with ${written}`;
}

/** By the noun for one: `3 products, 120 versions and 1 API key`. */
export function formatCounts(counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([noun, count]) => `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`);
  return new Intl.ListFormat('en-GB').format(parts);
}
