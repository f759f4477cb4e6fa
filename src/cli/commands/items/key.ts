import { randomInt } from 'node:crypto';
import type { Command } from 'commander';
import { COMMAND } from '../../../command-name.ts';
import { formatApiKey } from '../../../domain/access/api-key.ts';
import { KEY_KINDS, type KeyKind } from '../../../domain/model.ts';
import { Refusal } from '../../../errors.ts';
import type { Reader, Writer } from '../../../store/engine/engine.ts';
import {
  attachProducts,
  createKey,
  deleteKey,
  detachProducts,
  findKeyView,
  listKeys,
  setKeyStatus,
} from '../../../store/write/keys.ts';
import { choice, parseFileName, parseName, withExamples, withJson } from '../../arguments.ts';
import { type Cli, configOf, printResult, withReader, withWriter } from '../../cli.ts';
import { deleteConfirmed } from '../../confirm.ts';
import { withNewFile } from '../../files/new-file.ts';
import { findPastedKey } from '../../key-check.ts';
import { escapeName } from '../../terminal/plain.ts';
import { formatRecord, formatTable } from '../../terminal/table.ts';
import { requireKnownTeam } from './product.ts';

type CreateFlags = { kind: KeyKind; product?: string[]; name?: string; out?: string; json?: boolean };

export function addKey(program: Command, cli: Cli): void {
  const key = program.command('key').description('create and manage API keys');
  withExamples(
    key,
    'key create acme --kind SELECT --product rocket --name "status page"',
    'key create acme --kind FULL --out acme.key',
    'key check < acme.key',
  );

  withJson(key.command('create'))
    .description('create a key for a team and print it, only this once')
    .argument('<team>', 'slug of the team')
    .addOption(
      choice(
        '--kind <kind>',
        'FULL reads all products of the team, SELECT those given by --product',
        KEY_KINDS,
      ).makeOptionMandatory(),
    )
    .option(
      '--product <slug>',
      'a product that a SELECT key may read; may be repeated',
      (slug, slugs: string[] = []) => [...slugs, slug],
    )
    .option('--name <text>', 'what the key is for', parseName)
    .option(
      '--out <file>',
      'write the key to a new file that only you can read, instead of printing it',
      parseFileName,
    )
    .action(async (team: string, flags: CreateFlags, command: Command) => {
      requireMatchingKind(command, flags);
      if (flags.out !== undefined) return await createInFile(cli, team, { ...flags, out: flags.out });
      const created = await makeKey(cli, team, flags);
      printResult(
        cli,
        flags,
        created,
        () => `${formatRecord(created)}\n\nSave the key now: it is not shown again.`,
      );
    });

  withJson(key.command('check'))
    .description('check whether a key works; it is read from standard input or asked for')
    // Commander's error would print the key.
    .allowExcessArguments()
    .action(async (options, command: Command) => {
      if (command.args.length > 0)
        command.error('error: pass the key on standard input, not as an argument (other users could see it)');
      const { id, isActive } = await findPastedKey(cli);
      await show(cli, id, options);
      if (!isActive) throw new Refusal(`this key is disabled; \`${COMMAND} key enable ${id}\` enables it`);
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
  change('disable', 'disable a key, so that it stops working', (trx, id) =>
    setKeyStatus(trx, id, 'disabled'),
  );
  change('enable', 'enable a disabled key again', (trx, id) => setKeyStatus(trx, id, 'active'));

  withJson(key.command('delete'))
    .description('delete a key permanently')
    .argument('<id>', 'id of the key, from `key list`')
    .option('--yes', 'do not ask; without a terminal, it never asks')
    .action(async (id: string, options) => {
      // No content is lost with a key, and a script that revokes one must not fail.
      const flags = cli.ask === undefined ? { yes: true } : options;
      const describe = async (db: Reader) => {
        const { team, kind, name } = await findKeyView(db, id);
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

type KeyToCreate = { kind: KeyKind; product?: readonly string[]; name?: string | null };

/**
 * Creates a key of 190 random bits. Only its hash is stored, so `keep` must store the key itself; if `keep` throws, no key
 * is created.
 */
export async function makeKey(
  cli: Cli,
  team: string,
  { kind, product = [], name = null }: KeyToCreate,
  keep: (key: string) => void = () => {},
) {
  const key = formatApiKey(randomInt);
  const products = [...new Set(product)];
  const id = await withWriter(cli, async (trx) => {
    const created = await createKey(trx, { key, team, kind, products, name, now: cli.now() });
    keep(key);
    return created;
  });
  return { id, key, team, kind, products, status: 'active', name };
}

async function createInFile(
  cli: Cli,
  team: string,
  { out, ...flags }: CreateFlags & { out: string },
): Promise<void> {
  const { key: _, ...created } = await withNewFile(cli, out, (write) =>
    makeKey(cli, team, flags, (key) => write(`${key}\n`)),
  );
  printResult(cli, flags, created, () => `${formatRecord(created)}\n\nThe key is in ${escapeName(out)}.`);
}

function requireMatchingKind(command: Command, { kind, product = [] }: CreateFlags): void {
  if (kind === 'SELECT' && product.length === 0)
    command.error('error: a SELECT key needs one product or more; use --product SLUG');
  if (kind === 'FULL' && product.length > 0)
    command.error('error: a FULL key reads all products of its team; leave out --product');
}

async function show(cli: Cli, id: string, options: { json?: boolean }): Promise<void> {
  const [key] = await withReader(cli, (db) => listShown(cli, db, { id }));
  if (key !== undefined) printResult(cli, options, key, () => formatRecord(key));
}

/** Leaves out the last use while usage is not recorded, because it would be out of date. */
async function listShown(cli: Cli, db: Reader, filter: { team?: string; id?: string }) {
  const keys = await listKeys(db, filter);
  if (configOf(cli).keyUsage) return keys;
  return keys.map(({ lastUsedAt: _, ...key }) => key);
}
