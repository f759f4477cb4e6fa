import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { COMMAND } from '../../command-name.ts';
import {
  type Environment,
  findSetting,
  type GateCredentials,
  PREFIX,
  withDotEnv,
  withSettings,
} from '../../config.ts';
import { hashApiKey } from '../../domain/access/api-key.ts';
import { productPath } from '../../present/page-paths.ts';
import { ROOT } from '../../root.ts';
import { listTeams } from '../../store/catalogue/catalogue.ts';
import { findKey } from '../../store/read/reads.ts';
import { type Cli, prepareDatabase, withReader } from '../cli.ts';
import { replaceFile } from '../files/write-file.ts';
import { shellWord } from '../terminal/shell-word.ts';
import { applyFiles } from './apply.ts';
import { makeKey } from './items/new-key.ts';
import { requireServable, type ServeFlags, serve, withFlags, withListenFlags } from './serve.ts';

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

export function addDemo(program: Command, cli: Cli): void {
  const command = withListenFlags(program.command('demo'))
    .description(`serve a demo database, created on first use as ${DATABASE}`)
    .action((flags: ServeFlags) => demo(withFlags(cli, flags)));
  program.hook('preSubcommand', ({ args: [, ...values] }, subcommand) => {
    if (subcommand !== command) return;
    const names = command.options.map((option) => option.attributeName());
    const flags = flagsTakenByNpm(cli.environment, names, values);
    if (flags) program.error(`error: npm reads options before -- as its own; use \`npm start -- ${flags}\``);
  });
}

/**
 * `npm start --port 3005` sets `npm_config_port=true` and passes on `3005`; `--port=3005` sets `npm_config_port=3005`.
 * Returns the flags as they were meant.
 */
function flagsTakenByNpm(environment: Environment, names: string[], values: string[]): string {
  if (!environment.npm_lifecycle_script?.includes('changelog demo')) return '';
  const isPassedOn = (name: string) => values.some((value) => value.split('=')[0] === `--${name}`);
  const taken = names.filter((name) => environment[`npm_config_${name}`] && !isPassedOn(name));
  const isSplit = (name: string) => environment[`npm_config_${name}`] === 'true';
  const rest = taken.filter(isSplit).length === 1 ? values[0] : undefined;
  return taken
    .map((name) => {
      const value = isSplit(name) ? rest : environment[`npm_config_${name}`];
      return `--${name} ${value === undefined ? name.toUpperCase() : shellWord(value)}`;
    })
    .join(' ');
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
  const full = await makeKey(cli, 'acme', { kind: 'FULL', name: 'Demo: everything of Acme' });
  const select = await makeKey(cli, 'nightshift', {
    kind: 'SELECT',
    product: ['lantern'],
    name: 'Demo: only Lantern',
  });
  const keys = { full: full.key, select: select.key };
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
