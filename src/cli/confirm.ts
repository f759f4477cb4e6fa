// Asks before something is deleted or replaced. Without a terminal, as in a script, nothing is deleted without `--yes`.
import type { Argument } from 'commander';
import { Refusal } from '../errors.ts';
import { asReader, type Reader, type Writer } from '../store/engine/engine.ts';
import { type Cli, dryRun, type WriteOptions, withWriter } from './cli.ts';
import { type Command, command } from './command.ts';
import { count, escapeControls, escapeName } from './terminal/text.ts';

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

type Deletion<Args extends readonly unknown[]> = Readonly<{
  noun: string;
  about: string;
  arguments: readonly Argument[];
  /** The help of `--yes` for a command that only asks at a terminal. */
  yes?: string;
  /** Throws if there is nothing to delete. */
  describe: (db: Reader, cli: Cli, ...args: Args) => Promise<string>;
  remove: (trx: Writer, ...args: Args) => Promise<void>;
  nameOf: (...args: Args) => string;
}>;

/** The command `delete` of this noun. */
export function deletion<Args extends readonly unknown[]>(item: Deletion<Args>): Command {
  const { noun, about, yes, describe, remove, nameOf } = item;
  return command({
    name: 'delete',
    about,
    arguments: item.arguments,
    yes: yes ?? YES,
    run: async (cli, flags: { yes?: boolean }, ...args: Args) => {
      const agreed = flags.yes || (yes !== undefined && cli.ask === undefined);
      const work = async (trx: Writer) => {
        const what = await describe(asReader(trx), cli, ...args);
        await remove(trx, ...args);
        return what;
      };
      await writeAgreed(cli, agreed, work, (what) => what);
      return { deleted: nameOf(...args) };
    },
    text: ({ deleted }) => `Deleted the ${noun} ${escapeName(deleted)}.`,
  });
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
