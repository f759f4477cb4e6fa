// Only the hash of a key is stored, so a new key is shown or written to a file, once.
import { randomInt } from 'node:crypto';
import { COMMAND } from '../../../command-name.ts';
import { readInput } from '../../../content/input.ts';
import { hasExpired } from '../../../domain/access/access.ts';
import { formatApiKey, hashApiKey, isApiKey } from '../../../domain/access/api-key.ts';
import { KEY_KINDS, type KeyKind } from '../../../domain/model.ts';
import { DAY_MS, laterThan } from '../../../domain/timestamp.ts';
import { Refusal } from '../../../errors.ts';
import { wholeNumber } from '../../../setting-parsers.ts';
import { requireKnownTeam } from '../../../store/catalogue/catalogue.ts';
import type { Writer } from '../../../store/engine/engine.ts';
import * as keys from '../../../store/write/keys.ts';
import { argument, choice, collect, NAME, option, parseFileName, parseTime, TEAM } from '../../arguments.ts';
import { type Cli, configOf, withReader, withWriter } from '../../cli.ts';
import { type Command, command, UsageError } from '../../command.ts';
import { deletion } from '../../confirm.ts';
import { withFiles } from '../../files/write-file.ts';
import { formatRecord, formatTable } from '../../terminal/table.ts';
import { escapeName } from '../../terminal/text.ts';

type KeyToMake = {
  kind: KeyKind;
  product?: readonly string[];
  name?: string | null;
  expires?: string | null;
};
type CreateFlags = KeyToMake & { out?: string };
type RotateFlags = { grace: number; expires?: string; out?: string };

const GRACE_DAYS = wholeNumber(0, 3_650);
const ID = argument('<id>', 'id of the key, from `key list`');
const NEW_KEY = [
  option('--expires <date>', 'when it ends: a date is its midnight in UTC', parseTime),
  option(
    '--out <file>',
    'write it to a new file that only you can read, instead of printing it',
    parseFileName,
  ),
];

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
    command({
      name: 'create',
      about: 'create a key for a team and print it, only this once',
      arguments: [TEAM],
      options: [
        choice('--kind <kind>', 'FULL reads all products, SELECT those of --product', KEY_KINDS),
        option('--product <slug>', 'a product that a SELECT key may read; may be repeated', collect),
        NAME,
        ...NEW_KEY,
      ],
      run: (cli, { out, ...wanted }: CreateFlags, team: string) => {
        const products = wanted.product?.length ?? 0;
        if (wanted.kind === undefined)
          throw new UsageError(`required option '--kind <kind>' not specified: ${KEY_KINDS.join(' or ')}`);
        if (wanted.kind === 'SELECT' && products === 0)
          throw new UsageError('a SELECT key needs one product or more; use --product SLUG');
        if (wanted.kind === 'FULL' && products > 0)
          throw new UsageError('a FULL key reads all products of its team; leave out --product');
        return keepKey(cli, out, (trx) => makeKey(trx, { ...wanted, team }, cli.now()));
      },
      text: (key, _, { out }) => describe(key, out),
    }),
    command({
      name: 'rotate',
      about: 'replace a key by a new one that reads the same',
      arguments: [ID],
      options: [
        option('--grace <days>', 'how long the old key still works', GRACE_DAYS).default(0),
        ...NEW_KEY,
      ],
      run: (cli, flags: RotateFlags, id: string) =>
        keepKey(cli, flags.out, (trx) => rotateKey(trx, id, flags, cli.now())),
      text: ({ replaces: { id, status, expiresAt }, ...key }, _, { out }) => {
        const end = status === 'active' ? `works until ${expiresAt}` : 'no longer works';
        return `${describe(key, out)}\nThe old key ${id} ${end}.`;
      },
    }),
    command({
      name: 'check',
      about: 'check whether the key on standard input works',
      run: async (cli) => {
        const key = await readKey(cli);
        return await withReader(cli, async (db) => {
          const id = await keys.findIdByHash(db, hashApiKey(key));
          if (id !== undefined) return shown(cli, await keys.findKeyView(db, id, cli.now()));
          throw new Refusal('this key does not work: it was deleted or belongs to another database');
        });
      },
      text: (key) => formatRecord(key),
      after: (key, cli) => {
        if (key.status === 'active') return;
        const why = hasExpired(key, cli.now) ? `expired at ${key.expiresAt}` : 'is disabled';
        throw new Refusal(`this key ${why}; \`${COMMAND} key enable ${key.id}\` enables it`);
      },
    }),
    command({
      name: 'list',
      about: 'list the keys of a team',
      arguments: [TEAM],
      run: (cli, _, team: string) =>
        withReader(cli, async (db) => {
          await requireKnownTeam(db, team);
          return (await keys.listKeys(db, { team }, cli.now())).map((key) => shown(cli, key));
        }),
      text: (listed, cli, _, [team]) => {
        const none = `The team ${team} has no keys yet. \`${COMMAND} key create\` creates one, if the team is on the paid plan.`;
        return formatTable(cli, listed, none);
      },
    }),
    change('disable', 'disable a key, so that it stops working', (trx, id) => keys.endKey(trx, id, null)),
    change('enable', 'enable a disabled or expired key again', (trx, id, _, now) =>
      keys.enableKey(trx, id, now),
    ),
    deletion({
      noun: 'key',
      about: 'delete a key permanently',
      arguments: [ID],
      // No content is lost with a key, and a script that revokes one must not fail.
      yes: 'do not ask; without a terminal, it never asks',
      describe: async (db, { now }, id: string) => {
        const { team, kind, name } = await keys.findKeyView(db, id, now());
        return `the ${kind} key ${id}${name === null ? '' : ` (${name})`} of the team ${team}`;
      },
      remove: keys.deleteKey,
      nameOf: (id) => id,
    }),
    change('attach', 'allow a SELECT key to read more products', keys.attachProducts, true),
    change('detach', 'stop a SELECT key from reading some products', keys.detachProducts, true),
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
        return shown(cli, await keys.findKeyView(trx, id, cli.now()));
      }),
    text: (key) => formatRecord(key),
  });
}

/** Not an argument, which other users could see in the list of processes, and not typed, which would show it. */
async function readKey(cli: Cli): Promise<string> {
  if (cli.ask !== undefined) throw new Refusal('pass the key on standard input, such as `< FILE`');
  const { bytes } = await readInput('-', { ...cli, advice: 'pass one key' });
  const key = Buffer.from(bytes).toString('latin1').trim();
  if (!isApiKey(key)) throw new Refusal('not an API key, or only part of one; copy it from clk_ to the end');
  return key;
}

/** Leaves out the last use while usage is not recorded, because it would be out of date. */
function shown(cli: Cli, { lastUsedAt, ...key }: keys.KeyView) {
  return configOf(cli).keyUsage ? { ...key, lastUsedAt } : key;
}

function describe(key: object, out: string | undefined): string {
  const remark =
    out === undefined ? 'Save the key now: it is not shown again.' : `The key is in ${escapeName(out)}.`;
  return `${formatRecord({ ...key })}\n\n${remark}`;
}

/** Makes a key of 190 random bits. */
export async function makeKey(
  trx: Writer,
  { team, kind, product = [], name = null, expires: expiresAt = null }: KeyToMake & { team: string },
  now: string,
) {
  if (expiresAt !== null && expiresAt <= now)
    throw new Refusal(`a key cannot end at ${expiresAt}, which has passed; choose a later --expires`);
  const key = formatApiKey(randomInt);
  const products = [...new Set(product)];
  const id = await keys.createKey(trx, { key, team, kind, products, name, now, expiresAt });
  return { id, key, team, kind, products, status: 'active', name, ...(expiresAt !== null && { expiresAt }) };
}

async function rotateKey(trx: Writer, id: string, flags: RotateFlags, now: string) {
  const old = await keys.findKeyView(trx, id, now);
  const { team, kind, products: product, name } = old;
  // A rotation never makes access last longer, unless told to.
  const expires = flags.expires ?? old.expiresAt;
  const made = await makeKey(trx, { team, kind, product, name, expires }, now);
  await keys.endKey(trx, id, flags.grace === 0 ? null : laterThan(now, flags.grace * DAY_MS));
  const { status, expiresAt } = await keys.findKeyView(trx, id, now);
  return { ...made, replaces: { id, status, expiresAt } };
}

/** Without the key in the result if it is in a file. If that cannot be written, no key is made. */
async function keepKey<Made extends { key: string }>(
  cli: Cli,
  out: string | undefined,
  make: (trx: Writer) => Promise<Made>,
): Promise<Omit<Made, 'key'>> {
  return await withFiles(cli, (write) =>
    withWriter(cli, async (trx) => {
      const made = await make(trx);
      if (out === undefined) return made;
      const { key, ...others } = made;
      write(out, `${key}\n`);
      return others;
    }),
  );
}
