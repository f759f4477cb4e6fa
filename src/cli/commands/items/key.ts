import type { Command as Parser } from 'commander';
import { COMMAND } from '../../../command-name.ts';
import { hasExpired } from '../../../domain/access/access.ts';
import { Refusal } from '../../../errors.ts';
import { requireKnownTeam } from '../../../store/catalogue/catalogue.ts';
import type { Reader, Writer } from '../../../store/engine/engine.ts';
import {
  attachProducts,
  deleteKey,
  detachProducts,
  enableKey,
  endKey,
  findKeyView,
  type KeyView,
  listKeys,
} from '../../../store/write/keys.ts';
import { argument, TEAM } from '../../arguments.ts';
import { type Cli, configOf, withReader, withWriter } from '../../cli.ts';
import { type Command, command } from '../../command.ts';
import { findPastedKey } from '../../key-check.ts';
import { formatRecord, formatTable } from '../../terminal/table.ts';
import { deletion } from './item.ts';
import { createCommand, rotateCommand } from './new-key.ts';

const ID = argument('<id>', 'id of the key, from `key list`');

export const keyCommand: Command = {
  name: 'key',
  about: 'create and manage API keys',
  examples: [
    'key create acme --kind SELECT --product rocket --name "status page"',
    'key create acme --kind FULL --out acme.key',
    'key rotate key_01a1dcf8508875e8ad4f4b07f9a73aa6 --grace 7',
    'key check < acme.key',
  ],
  commands: [
    createCommand,
    rotateCommand,
    command({
      name: 'check',
      about: 'check whether a key works; it is read from standard input or asked for',
      customise: refuseArguments,
      run: async (cli) => {
        const id = await findPastedKey(cli);
        return await withReader(cli, (db) => find(cli, db, id));
      },
      text: (key) => formatRecord(key),
      after: (key, cli) => {
        if (key.status === 'disabled') throw new Refusal(explainDisabled(key, cli.now()));
      },
    }),
    command({
      name: 'list',
      about: 'list the keys of a team',
      arguments: [TEAM],
      run: (cli, _, team: string) =>
        withReader(cli, async (db) => {
          await requireKnownTeam(db, team);
          return (await listKeys(db, { team }, cli.now())).map((key) => shown(cli, key));
        }),
      text: (keys, cli, _, [team]) =>
        formatTable(
          cli,
          keys,
          `The team ${team} has no keys yet. \`${COMMAND} key create\` creates one, if the team is on the paid plan.`,
        ),
    }),
    change('disable', 'disable a key, so that it stops working', (trx, id) => endKey(trx, id, null)),
    change('enable', 'enable a disabled or expired key again', (trx, id, _, now) => enableKey(trx, id, now)),
    deletion({
      noun: 'key',
      about: 'delete a key permanently',
      arguments: [ID],
      // No content is lost with a key, and a script that revokes one must not fail.
      yes: 'do not ask; without a terminal, it never asks',
      describe: async (db, { now }, id: string) => {
        const { team, kind, name } = await findKeyView(db, id, now());
        return `the ${kind} key ${id}${name === null ? '' : ` (${name})`} of the team ${team}`;
      },
      remove: deleteKey,
      nameOf: (id) => id,
    }),
    change('attach', 'allow a SELECT key to read more products', attachProducts, true),
    change('detach', 'stop a SELECT key from reading some products', detachProducts, true),
  ],
};

function change(
  name: string,
  about: string,
  write: (trx: Writer, id: string, slugs: string[], now: string) => Promise<void>,
  takesProducts = false,
): Command {
  return command({
    name,
    about,
    arguments: [ID, ...(takesProducts ? [argument('<slug...>', 'slugs of products of its team')] : [])],
    run: (cli, _, id: string, slugs: string[] = []) =>
      withWriter(cli, async (trx) => {
        await write(trx, id, slugs, cli.now());
        return await find(cli, trx, id);
      }),
    text: (key) => formatRecord(key),
  });
}

/** Commander's error would print the key. */
function refuseArguments(parser: Parser): void {
  parser.allowExcessArguments().hook('preAction', ({ args }) => {
    if (args.length > 0)
      parser.error('error: pass the key on standard input, not as an argument (other users could see it)');
  });
}

/** Leaves out the last use while usage is not recorded, because it would be out of date. */
function shown(cli: Cli, { lastUsedAt, ...key }: KeyView): Omit<KeyView, 'lastUsedAt'> {
  return configOf(cli).keyUsage ? ({ ...key, lastUsedAt } as KeyView) : key;
}

async function find(cli: Cli, db: Reader | Writer, id: string) {
  return shown(cli, await findKeyView(db, id, cli.now()));
}

function explainDisabled(key: Pick<KeyView, 'id' | 'expiresAt'>, now: string): string {
  const { id, expiresAt } = key;
  const why = hasExpired(key, () => now) ? `expired at ${expiresAt}` : 'is disabled';
  return `this key ${why}; \`${COMMAND} key enable ${id}\` enables it`;
}
