// The commands that make a key. Only its hash is stored, so it is shown or written to a file, once.
import { randomInt } from 'node:crypto';
import { type Command, InvalidArgumentError } from 'commander';
import { formatApiKey } from '../../../domain/access/api-key.ts';
import { KEY_KINDS, type KeyKind } from '../../../domain/model.ts';
import { DAY_MS, laterThan } from '../../../domain/timestamp.ts';
import { Refusal } from '../../../errors.ts';
import type { Writer } from '../../../store/engine/engine.ts';
import { createKey, endKey, findKeyView, type KeyView } from '../../../store/write/keys.ts';
import { choice, parseFileName, parseName, parseTime, withJson } from '../../arguments.ts';
import { type Cli, printResult, withWriter } from '../../cli.ts';
import { withFiles } from '../../files/write-file.ts';
import { escapeName } from '../../terminal/plain.ts';
import { formatRecord } from '../../terminal/table.ts';

type KeyToMake = { kind: KeyKind; product?: readonly string[]; name?: string | null; expires?: string };
type OutputFlags = { out?: string; json?: boolean };
type CreateFlags = KeyToMake & OutputFlags;
type RotateFlags = { grace: number; expires?: string } & OutputFlags;

const GRACE_DAYS_MAX = 3_650;

export function addCreate(key: Command, cli: Cli): void {
  withNewKey(key.command('create'))
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
    .action(async (team: string, flags: CreateFlags, command: Command) => {
      requireMatchingKind(command, flags);
      const made = await keepKey(cli, flags, (keep) => makeKey(cli, team, flags, keep));
      printKey(cli, flags, made);
    });
}

export function addRotate(key: Command, cli: Cli): void {
  withNewKey(key.command('rotate'))
    .description('replace a key by a new one that reads the same')
    .argument('<id>', 'id of the old key, from `key list`')
    .option('--grace <days>', 'how long the old key still works', parseGrace, 0)
    .action(async (id: string, flags: RotateFlags) => {
      const made = await keepKey(cli, flags, (keep) =>
        withWriter(cli, (trx) => rotateKey(cli, trx, id, flags, keep)),
      );
      const { status, expiresAt } = made.replaces;
      const end = status === 'active' ? `works until ${expiresAt}` : 'no longer works';
      printKey(cli, flags, made, `The old key ${id} ${end}.`);
      if (flags.expires === undefined && made.expiresAt !== undefined)
        cli.say(`The new key ends at ${made.expiresAt}, as the old one did; --expires gives it another end.`);
    });
}

function withNewKey(command: Command): Command {
  return withJson(command)
    .option(
      '--expires <date>',
      'when the key ends: a date is its midnight in UTC; `never` for no end',
      parseEnd,
    )
    .option(
      '--out <file>',
      'write the key to a new file that only you can read, instead of printing it',
      parseFileName,
    );
}

/** Commander turns null into a text. */
const NEVER = 'never';

function parseEnd(text: string): string {
  return text === NEVER ? NEVER : parseTime(text);
}

function parseGrace(text: string): number {
  const days = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  if (!(days <= GRACE_DAYS_MAX))
    throw new InvalidArgumentError(`It must be a number of days from 0 to ${GRACE_DAYS_MAX}.`);
  return days;
}

function requireMatchingKind(command: Command, { kind, product = [] }: CreateFlags): void {
  if (kind === 'SELECT' && product.length === 0)
    command.error('error: a SELECT key needs one product or more; use --product SLUG');
  if (kind === 'FULL' && product.length > 0)
    command.error('error: a FULL key reads all products of its team; leave out --product');
}

type Keep = (key: string) => void;

/** Makes a key of 190 random bits. `keep` must store it; if it throws, no key is made. */
export async function makeKey(cli: Cli, team: string, wanted: KeyToMake, keep?: Keep) {
  return await withWriter(cli, (trx) => writeKey(cli, trx, { ...wanted, team }, keep));
}

async function writeKey(
  cli: Cli,
  trx: Writer,
  { team, kind, product = [], name = null, expires = NEVER }: KeyToMake & { team: string },
  keep?: Keep,
) {
  const now = cli.now();
  const expiresAt = expires === NEVER ? null : expires;
  if (expiresAt !== null && expiresAt <= now)
    throw new Refusal(`a key cannot end at ${expiresAt}, which has passed; choose a later --expires`);
  const key = formatApiKey(randomInt);
  const products = [...new Set(product)];
  const id = await createKey(trx, { key, team, kind, products, name, now, expiresAt });
  keep?.(key);
  const end: { expiresAt?: string } = expiresAt === null ? {} : { expiresAt };
  return { id, key, team, kind, products, status: 'active', name, ...end };
}

async function rotateKey(cli: Cli, trx: Writer, id: string, { grace, expires }: RotateFlags, keep?: Keep) {
  const now = cli.now();
  const old = await findKeyView(trx, id, now);
  const { team, kind, products: product, name } = old;
  const wanted = { team, kind, product, name, expires: expires ?? endOf(old, now) };
  const made = await writeKey(cli, trx, wanted, keep);
  await endKey(trx, id, grace === 0 ? null : laterThan(now, grace * DAY_MS));
  const { status, expiresAt } = await findKeyView(trx, id, now);
  return { ...made, replaces: { id, status, expiresAt } };
}

/** A rotation never makes access last longer, unless told to. */
function endOf({ id, expiresAt }: KeyView, now: string): string {
  if (expiresAt === null || expiresAt > now) return expiresAt ?? NEVER;
  throw new Refusal(
    `the key ${id} expired at ${expiresAt}; say when the new one ends with --expires DATE, or --expires never`,
  );
}

async function keepKey<T>(cli: Cli, { out }: OutputFlags, make: (keep?: Keep) => Promise<T>): Promise<T> {
  if (out === undefined) return await make();
  return await withFiles(cli, (write) => make((key) => write(out, `${key}\n`)));
}

type MadeKey = Awaited<ReturnType<typeof writeKey>>;

function printKey(cli: Cli, flags: OutputFlags, made: MadeKey, remark = ''): void {
  const { out } = flags;
  const { key: _, ...withoutKey } = made;
  const shown = out === undefined ? made : withoutKey;
  printResult(cli, flags, shown, () => {
    const { replaces: __, ...record } = { replaces: null, ...shown };
    const place =
      out === undefined ? 'Save the key now: it is not shown again.' : `The key is in ${escapeName(out)}.`;
    return [formatRecord(record), '', place, ...(remark === '' ? [] : [remark])].join('\n');
  });
}
