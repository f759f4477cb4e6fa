import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { COMMAND } from '../../command-name.ts';
import { findSetting, PREFIX, withDotEnv, withSettings } from '../../config.ts';
import { productPath } from '../../present/links.ts';
import { ROOT } from '../../root.ts';
import { listTeams } from '../../store/catalogue/catalogue.ts';
import { type Cli, prepareDatabase, withReader, withWriter } from '../cli.ts';
import { command } from '../command.ts';
import { replaceFile } from '../files/write-file.ts';
import { applyFiles } from './apply.ts';
import { makeKey } from './items/key.ts';
import { LISTEN_OPTIONS, requireServable, type ServeFlags, serve, withFlags } from './serve.ts';

const DATABASE = 'data/demo.db';
/** The demo stores its keys, so that the commands it printed still work after a restart. */
const KEYS_FILE = 'data/demo-keys.json';
const DOCUMENTS = path.join(ROOT, 'demo');
const DEMO_PAGE = path.join(DOCUMENTS, 'widget.html');
const KEYS = {
  full: { team: 'acme', kind: 'FULL', name: 'Demo: everything of Acme' },
  select: { team: 'nightshift', kind: 'SELECT', product: ['lantern'], name: 'Demo: only Lantern' },
} as const;

type DemoKeys = Record<keyof typeof KEYS, string>;

export const demoCommand = command({
  name: 'demo',
  about: `serve a demo database, created on first use as ${DATABASE}`,
  options: LISTEN_OPTIONS,
  run: async (given, flags: ServeFlags) => {
    const outer = withFlags(given, flags);
    const DATABASE_URL = `sqlite:${path.resolve(outer.folder, DATABASE)}`;
    const LISTING = findSetting(withDotEnv(outer.environment, outer.folder), 'LISTING')?.text ?? 'all';
    const environment = withSettings(outer.environment, { DATABASE_URL, LISTING, DEMO_PAGE });
    const cli = { ...outer, environment };
    const { config } = await requireServable(cli);
    const { requirePorts } = await import('../../serve/listen.ts');
    await requirePorts(config);
    await prepareDatabase(cli);
    const isNew = await applyMissing(cli);
    const keys = await findOrCreateKeys(cli, isNew);
    await serve(cli, (baseUrl) => void cli.print(welcome(baseUrl, keys)));
  },
});

/** Applies only the documents of missing teams, so that changes to the demo survive a restart. False if there are none. */
async function applyMissing(cli: Cli): Promise<boolean> {
  const existing = (await withReader(cli, listTeams)).map(({ slug }) => `${slug}.yaml`);
  const missing = readdirSync(DOCUMENTS).filter((file) => file.endsWith('.yaml') && !existing.includes(file));
  const files = missing.map((file) => path.join(DOCUMENTS, file));
  await applyFiles(cli, files, {});
  return files.length > 0;
}

async function findOrCreateKeys(cli: Cli, isNew: boolean): Promise<DemoKeys> {
  const file = path.resolve(cli.folder, KEYS_FILE);
  if (!isNew && existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
  const keys = await withWriter(cli, async (trx) => ({
    full: (await makeKey(trx, KEYS.full, cli.now())).key,
    select: (await makeKey(trx, KEYS.select, cli.now())).key,
  }));
  const text = `${JSON.stringify(keys, null, 2)}\n`;
  await replaceFile(file, async (temporary) => writeFileSync(temporary, text));
  return keys;
}

function welcome(url: string, keys: DemoKeys): string {
  const curl = (path: string, key?: string) =>
    `  curl${key ? ` -H 'Authorization: Bearer ${key}'` : ''} ${url}/api/v1/${path}/changelog`;
  return `
Open ${url}${productPath({ teamSlug: 'acme', productSlug: 'rocket' })}
Try the widget at ${url}/demo

The same as JSON, without a key:
${curl('public/teams/acme/products/rocket')}
With a FULL key of the team, including drafts:
${curl('teams/acme/products/rocket', keys.full)}
A private team, with a SELECT key for this product only:
${curl('teams/nightshift/products/lantern', keys.select)}
For commands that work on its database, ${DATABASE}, set ${PREFIX}DATABASE_URL:
  ${PREFIX}DATABASE_URL=sqlite:${DATABASE} ${COMMAND} team list
`;
}
