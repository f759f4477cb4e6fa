import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import type { GateCredentials } from '../../config.ts';
import { hashApiKey } from '../../domain/access/api-key.ts';
import { listTeams } from '../../store/catalogue/catalogue.ts';
import { findKey } from '../../store/read/reads.ts';
import { type Cli, configOf, prepareDatabase, withReader } from '../cli.ts';
import { shellWord } from '../terminal/shell-word.ts';
import { applyFiles } from './apply.ts';
import { makeKey } from './key.ts';
import { type ServeFlags, serve, withFlags, withListenFlags } from './serve.ts';

const DATABASE = 'data/demo.db';
/** Keys are known only when they are made; the demo keeps its own, so that a pasted line works after a restart. */
const KEYS_FILE = 'data/demo-keys.json';
const DOCUMENTS = path.resolve(import.meta.dirname, '../../../demo');

const PUBLIC_PATH = 'public/teams/acme/products/rocket/changelog';
const FULL_PATH = 'teams/acme/products/rocket/changelog';
const SELECT_PATH = 'teams/nightshift/products/lantern/changelog';

type DemoKeys = { full: string; select: string };

export function addDemo(program: Command, cli: Cli): void {
  withListenFlags(program.command('demo'))
    .description(`serve a demo database, made on first use as ${DATABASE}`)
    .action((flags: ServeFlags) => demo(withFlags(cli, flags)));
}

async function demo(outer: Cli): Promise<void> {
  const cli = {
    ...outer,
    environment: { ...outer.environment, DATABASE_URL: `sqlite:${path.resolve(outer.folder, DATABASE)}` },
  };
  const config = configOf(cli);
  await prepareDatabase(cli);
  await applyMissing(cli);
  const keys = await findOrMakeKeys(cli);
  await serve(cli, (address) => cli.print(welcome(config.baseUrl ?? address, keys, config.gate)));
}

/** Applies the documents of the teams that are not there: what somebody changed in the demo stays changed. */
async function applyMissing(cli: Cli): Promise<void> {
  const teams = readdirSync(DOCUMENTS)
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => path.basename(file, '.yaml'));
  const there = (await withReader(cli, listTeams)).map(({ slug }) => slug);
  const missing = teams.filter((team) => !there.includes(team));
  if (missing.length === 0) return;
  const files = missing.map((team) => path.join(DOCUMENTS, `${team}.yaml`));
  const outcomes = await applyFiles(cli, files, {});
  outcomes.close();
}

async function findOrMakeKeys(cli: Cli): Promise<DemoKeys> {
  const file = path.resolve(cli.folder, KEYS_FILE);
  const kept = readKept(file);
  if (kept !== null && (await areActive(cli, [kept.full, kept.select]))) return kept;
  const full = await makeKey(cli, 'acme', { kind: 'FULL', name: 'Demo: everything of Acme' });
  const select = await makeKey(cli, 'nightshift', {
    kind: 'SELECT',
    product: ['lantern'],
    name: 'Demo: only Lantern',
  });
  const keys = { full: full.key, select: select.key };
  writeFileSync(file, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600 });
  return keys;
}

/** Whatever cannot be read is made anew. */
function readKept(file: string): DemoKeys | null {
  try {
    const { full, select } = JSON.parse(readFileSync(file, 'utf8'));
    return { full: String(full), select: String(select) };
  } catch {
    return null;
  }
}

async function areActive(cli: Cli, keys: readonly string[]): Promise<boolean> {
  return await withReader(cli, async (db) => {
    const found = await Promise.all(keys.map((key) => findKey(db, hashApiKey(key))));
    return found.every(({ found: key }) => key?.status === 'active');
  });
}

function welcome(address: string, keys: DemoKeys, gate: GateCredentials | null): string {
  const basic = gate === null ? '' : ` -u ${shellWord(`${gate.username}:PASSWORD`)}`;
  const bearer = (key: string) =>
    gate === null ? `-H 'Authorization: Bearer ${key}'` : `-H 'X-API-Key: ${key}'`;
  return [
    '',
    'What anybody may read:',
    `  curl${basic} ${address}/api/v1/${PUBLIC_PATH}`,
    'The same with a FULL key of the team, drafts included:',
    `  curl${basic} ${bearer(keys.full)} ${address}/api/v1/${FULL_PATH}`,
    'A private team, with a SELECT key for this one product:',
    `  curl${basic} ${bearer(keys.select)} ${address}/api/v1/${SELECT_PATH}`,
    `The database is ${DATABASE}; to work on it: DATABASE_URL=sqlite:${DATABASE} bin/changelog team list`,
    '',
  ].join('\n');
}
