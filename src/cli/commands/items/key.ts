import type { Command } from 'commander';
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
import { withExamples, withJson } from '../../arguments.ts';
import { type Cli, configOf, printResult, withReader, withWriter } from '../../cli.ts';
import { deleteConfirmed } from '../../confirm.ts';
import { findPastedKey } from '../../key-check.ts';
import { formatRecord, formatTable } from '../../terminal/table.ts';
import { addCreate, addRotate } from './new-key.ts';

export function addKey(program: Command, cli: Cli): void {
  const key = program.command('key').description('create and manage API keys');
  withExamples(
    key,
    'key create acme --kind SELECT --product rocket --name "status page"',
    'key create acme --kind FULL --out acme.key',
    'key rotate key_01a1dcf8508875e8ad4f4b07f9a73aa6 --grace 7',
    'key check < acme.key',
  );

  addCreate(key, cli);
  addRotate(key, cli);

  withJson(key.command('check'))
    .description('check whether a key works; it is read from standard input or asked for')
    // Commander's error would print the key.
    .allowExcessArguments()
    .action(async (options, command: Command) => {
      if (command.args.length > 0)
        command.error('error: pass the key on standard input, not as an argument (other users could see it)');
      const id = await findPastedKey(cli);
      const key = await show(cli, id, options);
      if (key?.status === 'disabled') throw new Refusal(explainDisabled(key, cli.now()));
    });

  withJson(key.command('list'))
    .description('list the keys of a team')
    .argument('<team>', 'slug of the team')
    .action(async (team: string, options) => {
      const { plan, keys } = await withReader(cli, async (db) => {
        const { plan } = await requireKnownTeam(db, team);
        return { plan, keys: await listShown(cli, db, { team }) };
      });
      const hint =
        plan === 'paid'
          ? `\`${COMMAND} key create\` creates one.`
          : `Keys need a paid plan; \`${COMMAND} team set ${team} --plan paid\` changes that.`;
      printResult(cli, options, keys, () =>
        formatTable(cli, keys, `The team ${team} has no keys yet. ${hint}`),
      );
    });

  const change = (verb: string, description: string, write: (trx: Writer, id: string) => Promise<void>) =>
    withJson(key.command(verb))
      .description(description)
      .argument('<id>', 'id of the key, from `key list`')
      .action(async (id: string, options) => {
        await withWriter(cli, (trx) => write(trx, id));
        await show(cli, id, options);
      });
  change('disable', 'disable a key, so that it stops working', (trx, id) => endKey(trx, id, null));
  change('enable', 'enable a disabled or expired key again', (trx, id) => enableKey(trx, id, cli.now()));

  withJson(key.command('delete'))
    .description('delete a key permanently')
    .argument('<id>', 'id of the key, from `key list`')
    .option('--yes', 'do not ask; without a terminal, it never asks')
    .action(async (id: string, options) => {
      // No content is lost with a key, and a script that revokes one must not fail.
      const flags = cli.ask === undefined ? { yes: true } : options;
      const describe = async (db: Reader) => {
        const { team, kind, name } = await findKeyView(db, id, cli.now());
        return `the ${kind} key ${id}${name === null ? '' : ` (${name})`} of the team ${team}`;
      };
      await deleteConfirmed(cli, flags, describe, (trx) => deleteKey(trx, id));
      printResult(cli, options, { deleted: id }, () => `Deleted the key ${id}.`);
    });

  const relate = (
    verb: string,
    description: string,
    write: (trx: Writer, id: string, slugs: string[]) => Promise<void>,
  ) =>
    withJson(key.command(verb))
      .description(description)
      .argument('<id>', 'id of a SELECT key')
      .argument('<slug...>', 'slugs of products of its team')
      .action(async (id: string, slugs: string[], options) => {
        await withWriter(cli, (trx) => write(trx, id, slugs));
        await show(cli, id, options);
      });
  relate('attach', 'allow a SELECT key to read more products', attachProducts);
  relate('detach', 'stop a SELECT key from reading some products', detachProducts);
}

async function show(cli: Cli, id: string, options: { json?: boolean }) {
  const [key] = await withReader(cli, (db) => listShown(cli, db, { id }));
  if (key !== undefined) printResult(cli, options, key, () => formatRecord(key));
  return key;
}

function explainDisabled(key: Pick<KeyView, 'id' | 'expiresAt'>, now: string): string {
  const { id, expiresAt } = key;
  const why = hasExpired(key, () => now) ? `expired at ${expiresAt}` : 'is disabled';
  return `this key ${why}; \`${COMMAND} key enable ${id}\` enables it`;
}

/** Leaves out the last use while usage is not recorded, because it would be out of date. */
async function listShown(cli: Cli, db: Reader, filter: { team?: string; id?: string }) {
  const keys = await listKeys(db, filter, cli.now());
  if (configOf(cli).keyUsage) return keys;
  return keys.map(({ lastUsedAt: _, ...key }) => key);
}
