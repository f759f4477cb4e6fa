// What commands for single items share: `show`, `set` and `delete`.
import type { Argument, Option } from 'commander';
import type { PublicationState, Visibility } from '../../../domain/model.ts';
import { asReader, type Reader, type Writer } from '../../../store/engine/engine.ts';
import { type Cli, dryRun, withReader, withWriter } from '../../cli.ts';
import { type Command, command, UsageError } from '../../command.ts';
import { confirm, notAgreedError, withCounts, YES } from '../../confirm.ts';
import { escapeName } from '../../terminal/plain.ts';
import { formatRecord } from '../../terminal/table.ts';

type State = { status?: PublicationState; visibility?: Visibility };
type Item<Key, Row extends object, Patch extends State> = Readonly<{
  noun: string;
  key: Argument;
  nameOf: (key: Key) => string;
  find: (db: Reader, key: Key) => Promise<Row>;
  /** What a record shows. */
  fields: (row: Row) => Record<string, unknown>;
  options: readonly Option[];
  set: (trx: Writer, key: Key, patch: Patch, cli: Cli) => Promise<void>;
  /** What would be deleted with it. */
  count: (db: Reader, key: Key, now: string) => Promise<Record<string, number>>;
  contents: string;
  remove: (trx: Writer, key: Key) => Promise<void>;
}>;

export function itemCommands<Key, Row extends object, Patch extends State>(
  item: Item<Key, Row, Patch>,
): Command[] {
  const { noun, nameOf, find, fields, options, set, count, remove } = item;
  const key = [item.key];
  return [
    command({
      name: 'show',
      about: `show one ${noun}`,
      arguments: key,
      run: (cli, _, of: Key) => withReader(cli, (db) => find(db, of)),
      text: (row) => formatRecord(fields(row)),
    }),
    command({
      name: 'set',
      about: `change one ${noun}`,
      arguments: key,
      options,
      run: async (cli, patch: Patch, of: Key) => {
        if (Object.keys(patch).length === 0)
          throw new UsageError('nothing to set; use at least one of the options that --help lists');
        return await withWriter(cli, async (trx) => {
          await set(trx, of, patch, cli);
          return await find(asReader(trx), of);
        });
      },
      text: (row) => formatRecord(fields(row)),
      after: (_, cli, { status, visibility }, [of]) =>
        sayIfHidden(cli, `the ${noun} ${nameOf(of)}`, status ?? visibility),
    }),
    deletion({
      noun,
      about: `delete one ${noun} with ${item.contents}`,
      arguments: key,
      describe: async (db, { now }, of: Key) =>
        withCounts(`the ${noun} ${nameOf(of)}`, await count(db, of, now())),
      remove,
      nameOf,
    }),
  ];
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

export function deletion<Args extends readonly unknown[]>(item: Deletion<Args>): Command {
  const { noun, about, yes, describe, remove, nameOf } = item;
  return command({
    name: 'delete',
    about,
    arguments: item.arguments,
    yes: yes ?? YES,
    run: async (cli, flags: { yes?: boolean }, ...args: Args) => {
      const asks = !flags.yes && (yes === undefined || cli.ask !== undefined);
      // In a separate transaction, so that no lock is held while the user thinks.
      const agreed = asks ? await dryRun(cli, (trx) => describe(asReader(trx), cli, ...args)) : null;
      if (agreed !== null) await confirm(cli, agreed);
      await withWriter(cli, async (trx) => {
        const found = agreed && (await describe(asReader(trx), cli, ...args));
        if (found !== agreed) throw notAgreedError(found ?? '');
        await remove(trx, ...args);
      });
      return { deleted: nameOf(...args) };
    },
    text: ({ deleted }) => `Deleted the ${noun} ${escapeName(deleted)}.`,
  });
}

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
