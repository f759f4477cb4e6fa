// The commands that make a key. Only its hash is stored, so it is shown or written to a file, once.
import { randomInt } from 'node:crypto';
import { InvalidArgumentError } from 'commander';
import { formatApiKey } from '../../../domain/access/api-key.ts';
import { KEY_KINDS, type KeyKind } from '../../../domain/model.ts';
import { DAY_MS, laterThan } from '../../../domain/timestamp.ts';
import { Refusal } from '../../../errors.ts';
import type { Writer } from '../../../store/engine/engine.ts';
import { createKey, endKey, findKeyView, type KeyView } from '../../../store/write/keys.ts';
import {
  argument,
  choice,
  collect,
  option,
  parseFileName,
  parseName,
  parseTime,
  TEAM,
} from '../../arguments.ts';
import { type Cli, withWriter } from '../../cli.ts';
import { command, UsageError } from '../../command.ts';
import { withFiles } from '../../files/write-file.ts';
import { escapeName } from '../../terminal/plain.ts';
import { formatRecord } from '../../terminal/table.ts';

type KeyToMake = { kind: KeyKind; product?: readonly string[]; name?: string | null; expires?: string };
type CreateFlags = KeyToMake & { out?: string };
type RotateFlags = { grace: number; expires?: string; out?: string };

const GRACE_DAYS_MAX = 3_650;
/** Commander turns null into a text. */
const NEVER = 'never';

const OPTIONS = [
  option(
    '--expires <date>',
    'when the key ends: a date is its midnight in UTC; `never` for no end',
    (text) => (text === NEVER ? NEVER : parseTime(text)),
  ),
  option(
    '--out <file>',
    'write the key to a new file that only you can read, instead of printing it',
    parseFileName,
  ),
];

export const createCommand = command({
  name: 'create',
  about: 'create a key for a team and print it, only this once',
  arguments: [TEAM],
  options: [
    choice(
      '--kind <kind>',
      'FULL reads all products of the team, SELECT those given by --product',
      KEY_KINDS,
    ).makeOptionMandatory(),
    option('--product <slug>', 'a product that a SELECT key may read; may be repeated', collect),
    option('--name <text>', 'what the key is for', parseName),
    ...OPTIONS,
  ],
  run: async (cli, { out, ...wanted }: CreateFlags, team: string) => {
    const { kind, product = [] } = wanted;
    if (kind === 'SELECT' && product.length === 0)
      throw new UsageError('a SELECT key needs one product or more; use --product SLUG');
    if (kind === 'FULL' && product.length > 0)
      throw new UsageError('a FULL key reads all products of its team; leave out --product');
    return await keepKey(cli, out, (trx, keep) => makeKey(trx, { ...wanted, team }, cli.now(), keep));
  },
  text: (key, _, { out }) => describe(key, out),
});

export const rotateCommand = command({
  name: 'rotate',
  about: 'replace a key by a new one that reads the same',
  arguments: [argument('<id>', 'id of the old key, from `key list`')],
  options: [
    option<number>('--grace <days>', 'how long the old key still works', parseGrace).default(0),
    ...OPTIONS,
  ],
  run: (cli, flags: RotateFlags, id: string) =>
    keepKey(cli, flags.out, (trx, keep) => rotateKey(trx, id, flags, cli.now(), keep)),
  text: ({ replaces: { id, status, expiresAt }, ...key }, _, { out }) =>
    `${describe(key, out)}\nThe old key ${id} ${status === 'active' ? `works until ${expiresAt}` : 'no longer works'}.`,
  after: ({ expiresAt }, cli, { expires }) => {
    if (expires === undefined && expiresAt !== undefined)
      cli.say(`The new key ends at ${expiresAt}, as the old one did; --expires gives it another end.`);
  },
});

function parseGrace(text: string): number {
  const days = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  if (!(days <= GRACE_DAYS_MAX))
    throw new InvalidArgumentError(`It must be a number of days from 0 to ${GRACE_DAYS_MAX}.`);
  return days;
}

function describe(key: object, out: string | undefined): string {
  const place =
    out === undefined ? 'Save the key now: it is not shown again.' : `The key is in ${escapeName(out)}.`;
  return `${formatRecord({ ...key })}\n\n${place}`;
}

type Keep = (key: string) => void;

/** Makes a key of 190 random bits. `keep` may store it; if it throws, no key is made. */
export async function makeKey(
  trx: Writer,
  { team, kind, product = [], name = null, expires = NEVER }: KeyToMake & { team: string },
  now: string,
  keep: Keep = () => {},
) {
  const expiresAt = expires === NEVER ? null : expires;
  if (expiresAt !== null && expiresAt <= now)
    throw new Refusal(`a key cannot end at ${expiresAt}, which has passed; choose a later --expires`);
  const key = formatApiKey(randomInt);
  const products = [...new Set(product)];
  const id = await createKey(trx, { key, team, kind, products, name, now, expiresAt });
  keep(key);
  const end: { expiresAt?: string } = expiresAt === null ? {} : { expiresAt };
  return { id, key, team, kind, products, status: 'active', name, ...end };
}

async function rotateKey(trx: Writer, id: string, { grace, expires }: RotateFlags, now: string, keep: Keep) {
  const old = await findKeyView(trx, id, now);
  const { team, kind, products: product, name } = old;
  const wanted = { team, kind, product, name, expires: expires ?? endOf(old, now) };
  const made = await makeKey(trx, wanted, now, keep);
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

/** Without the key in the result if it is in a file. */
async function keepKey<Made extends { key: string }>(
  cli: Cli,
  out: string | undefined,
  make: (trx: Writer, keep: Keep) => Promise<Made>,
): Promise<Omit<Made, 'key'>> {
  const run = (keep: Keep) => withWriter(cli, (trx) => make(trx, keep));
  if (out === undefined) return await run(() => {});
  const { key: _, ...made } = await withFiles(cli, (write) => run((key) => write(out, `${key}\n`)));
  return made;
}
