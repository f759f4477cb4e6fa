// What commands for single items share: `list`, `show`, `set` and `delete`.
import type { Argument, Option } from 'commander';
import type { PublicationState, Visibility } from '../../../domain/model.ts';
import { asReader, type Reader, type Writer } from '../../../store/engine/engine.ts';
import { type Cli, withReader, withWriter } from '../../cli.ts';
import { type Command, command, UsageError } from '../../command.ts';
import { withCounts, writeAgreed, YES } from '../../confirm.ts';
import { escapeName } from '../../terminal/plain.ts';
import { formatRecord, formatTable } from '../../terminal/table.ts';

type State = { status?: PublicationState; visibility?: Visibility };
type Fields = Record<string, unknown>;
type Item<Key, Row extends object, Patch extends State> = Readonly<{
  noun: string;
  examples: readonly string[];
  /** What `list` takes. */
  within: readonly Argument[];
  list: (db: Reader, team: string) => Promise<Row[]>;
  /** What a table shows, and a record. */
  columns: (row: Row) => Fields;
  fields: (row: Row) => Fields;
  none: (team: string) => string;
  key: Argument;
  nameOf: (key: Key) => string;
  find: (db: Reader, key: Key) => Promise<Row>;
  options: readonly Option[];
  set: (trx: Writer, key: Key, patch: Patch) => Promise<void>;
  /** What would be deleted with it. */
  count: (db: Reader, key: Key, now: string) => Promise<Record<string, number>>;
  remove: (trx: Writer, key: Key) => Promise<void>;
}>;

export function itemCommand<Key, Row extends object, Patch extends State>(
  item: Item<Key, Row, Patch>,
): Command {
  const { noun, examples, columns, fields, nameOf, find, remove } = item;
  const key = [item.key];
  return {
    name: noun,
    about: `show and change ${noun}s`,
    examples,
    commands: [
      command({
        name: 'list',
        about: `list the ${noun}s`,
        arguments: item.within,
        run: (cli, _, team: string) => withReader(cli, (db) => item.list(db, team)),
        text: (rows, cli, _, [team]) => formatTable(cli, rows.map(columns), item.none(team)),
      }),
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
        options: item.options,
        run: async (cli, patch: Patch, of: Key) => {
          if (Object.keys(patch).length === 0)
            throw new UsageError('nothing to set; use at least one of the options that --help lists');
          return await withWriter(cli, async (trx) => {
            await item.set(trx, of, patch);
            return await find(asReader(trx), of);
          });
        },
        text: (row) => formatRecord(fields(row)),
        after: (_, cli, { status, visibility }, [of]) =>
          sayIfHidden(cli, `The ${noun} ${nameOf(of)}`, status ?? visibility),
      }),
      deletion({
        noun,
        about: `delete one ${noun} with everything in it`,
        arguments: key,
        describe: async (db, { now }, of: Key) =>
          withCounts(`the ${noun} ${nameOf(of)}`, await item.count(db, of, now())),
        remove,
        nameOf,
      }),
    ],
  };
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

/** Warns if this state hides something: people who lock a product to freeze it do not expect it to disappear. */
export function sayIfHidden(cli: Cli, what: string, state?: PublicationState | Visibility): void {
  if (state === undefined || state === 'published' || state === 'public') return;
  cli.say(`${escapeName(what)} is ${state}: the public API does not show it, and API keys still read it.`);
}
