import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Command as Parser } from 'commander';
import { COMMAND } from '../../command-name.ts';
import { findSetting, type GateCredentials, PREFIX, withDotEnv, withSettings } from '../../config.ts';
import { hashApiKey } from '../../domain/access/api-key.ts';
import { productPath } from '../../present/links.ts';
import { ROOT } from '../../root.ts';
import { listTeams } from '../../store/catalogue/catalogue.ts';
import { findKey } from '../../store/read/reads.ts';
import { type Cli, prepareDatabase, withReader, withWriter } from '../cli.ts';
import { command } from '../command.ts';
import { replaceFile } from '../files/write-file.ts';
import { shellWord } from '../terminal/shell-word.ts';
import { applyFiles } from './apply.ts';
import { makeKey } from './items/new-key.ts';
import { LISTEN_OPTIONS, requireServable, type ServeFlags, serve, withFlags } from './serve.ts';

const DATABASE = 'data/demo.db';
/** The demo stores its keys, so that the commands it printed still work after a restart. */
const KEYS_FILE = 'data/demo-keys.json';
const DOCUMENTS = path.join(ROOT, 'demo');
const DEMO_PAGE = path.join(DOCUMENTS, 'widget.html');

const PAGE_PATH = productPath({ teamSlug: 'acme', productSlug: 'rocket' });
const PUBLIC_PATH = 'public/teams/acme/products/rocket/changelog';
const FULL_PATH = 'teams/acme/products/rocket/changelog';
const SELECT_PATH = 'teams/nightshift/products/lantern/changelog';

type DemoKeys = { full: string; select: string };

export const demoCommand = command({
  name: 'demo',
  about: `serve a demo database, created on first use as ${DATABASE}`,
  options: LISTEN_OPTIONS,
  customise: refuseFlagsOfNpm,
  run: (cli, flags: ServeFlags) => demo(withFlags(cli, flags)),
});

/** `npm start --port 3005` sets `npm_config_port` and passes on only `3005`. */
function refuseFlagsOfNpm(parser: Parser, { environment }: Cli): void {
  if (!environment?.npm_lifecycle_script?.includes('changelog demo')) return;
  parser.parent?.hook('preSubcommand', ({ args }, subcommand) => {
    const taken = parser.options.filter(
      (option) =>
        environment[`npm_config_${option.attributeName()}`] &&
        !args.some((word) => word.split('=')[0] === option.long),
    );
    if (subcommand !== parser || taken.length === 0) return;
    const flags = taken.map((option) => option.flags).join(' ');
    parser.error(`error: npm reads options before -- as its own; use \`npm start -- ${flags}\``);
  });
}

async function demo(outer: Cli): Promise<void> {
  const DATABASE_URL = `sqlite:${path.resolve(outer.folder, DATABASE)}`;
  const LISTING = findSetting(withDotEnv(outer.environment, outer.folder), 'LISTING')?.text ?? 'all';
  const cli = {
    ...outer,
    environment: withSettings(outer.environment, { DATABASE_URL, LISTING, DEMO_PAGE }),
  };
  const { config } = await requireServable(cli);
  const { requirePorts } = await import('../../serve/listen.ts');
  await requirePorts(config);
  await prepareDatabase(cli);
  await applyMissing(cli);
  const keys = await findOrCreateKeys(cli);
  await serve(cli, { onReady: (baseUrl) => cli.print(welcome(baseUrl, keys, config.gate)) });
}

/** Applies only the documents of missing teams, so that changes to the demo survive a restart. */
async function applyMissing(cli: Cli): Promise<void> {
  const teams = readdirSync(DOCUMENTS)
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => path.basename(file, '.yaml'));
  const existing = (await withReader(cli, listTeams)).map(({ slug }) => slug);
  const missing = teams.filter((team) => !existing.includes(team));
  if (missing.length === 0) return;
  const files = missing.map((team) => path.join(DOCUMENTS, `${team}.yaml`));
  await applyFiles(cli, files, {});
}

async function findOrCreateKeys(cli: Cli): Promise<DemoKeys> {
  const file = path.resolve(cli.folder, KEYS_FILE);
  const stored = readKeys(file);
  if (stored !== null && (await areActive(cli, [stored.full, stored.select]))) return stored;
  const full = { team: 'acme', kind: 'FULL', name: 'Demo: everything of Acme' } as const;
  const product = ['lantern'];
  const select = { team: 'nightshift', kind: 'SELECT', product, name: 'Demo: only Lantern' } as const;
  const keys = await withWriter(cli, async (trx) => ({
    full: (await makeKey(trx, full, cli.now())).key,
    select: (await makeKey(trx, select, cli.now())).key,
  }));
  await replaceFile(file, async (temporary) =>
    writeFileSync(temporary, `${JSON.stringify(keys, null, 2)}\n`),
  );
  return keys;
}

/** Keys that cannot be read are created again. */
function readKeys(file: string): DemoKeys | null {
  try {
    const { full, select } = JSON.parse(readFileSync(file, 'utf8'));
    return { full: String(full), select: String(select) };
  } catch {
    return null;
  }
}

async function areActive(cli: Cli, keys: readonly string[]): Promise<boolean> {
  return await withReader(cli, async (db) => {
    const found = await Promise.all(keys.map((key) => findKey(db, hashApiKey(key), cli.now())));
    return found.every(({ found: key }) => key?.status === 'active');
  });
}

function welcome(url: string, keys: DemoKeys, gate: GateCredentials | null): string {
  const basic = gate === null ? '' : ` -u ${shellWord(`${gate.username}:PASSWORD`)}`;
  const bearer = (key: string) =>
    gate === null ? `-H 'Authorization: Bearer ${key}'` : `-H 'X-API-Key: ${key}'`;
  return [
    '',
    `Open ${url}${PAGE_PATH}`,
    `Try the widget at ${url}/demo`,
    '',
    'The same as JSON, without a key:',
    `  curl${basic} ${url}/api/v1/${PUBLIC_PATH}`,
    'With a FULL key of the team, including drafts:',
    `  curl${basic} ${bearer(keys.full)} ${url}/api/v1/${FULL_PATH}`,
    'A private team, with a SELECT key for this product only:',
    `  curl${basic} ${bearer(keys.select)} ${url}/api/v1/${SELECT_PATH}`,
    `For commands that work on its database, ${DATABASE}, set ${PREFIX}DATABASE_URL:`,
    `  ${PREFIX}DATABASE_URL=sqlite:${DATABASE} ${COMMAND} team list`,
    '',
  ].join('\n');
}
