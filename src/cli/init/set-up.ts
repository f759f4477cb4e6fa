import { randomInt } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { formatApiKey } from '../../domain/access/api-key.ts';
import { hasPassword } from '../../domain/access/server-url.ts';
import type { Plan, Visibility } from '../../domain/model.ts';
import { parseDotEnv } from '../../dot-env.ts';
import { Refusal } from '../../errors.ts';
import { readRepository } from '../../import/git.ts';
import { makeFolder } from '../../make-folder.ts';
import type { Writer } from '../../store/engine/engine.ts';
import { engineOf } from '../../store/engine/open.ts';
import { documentFor, findTarget } from '../../store/import/target.ts';
import { applyContent } from '../../store/write/apply.ts';
import { createKey } from '../../store/write/keys.ts';
import type { Outcome } from '../../store/write/versions.ts';
import { type Cli, configOf, withWriter } from '../cli.ts';
import { withAddition } from '../files/addition.ts';
import { withNewFile } from '../files/new-file.ts';
import { importInto } from '../import-file.ts';
import { ImportReport } from '../report/import-report.ts';
import { outputPaint } from '../terminal/colours.ts';
import {
  type CurrentSetup,
  DATABASE_SETTING,
  DOT_ENV,
  describeDatabase,
  requireWritable,
  settingsFor,
  withDatabase,
} from './current-setup.ts';
import { isCommitted, isTrackedByGit } from './git.ts';
import { type InitAnswers, pathOf } from './questions.ts';

const DATA_FOLDER = 'data';
export const KEY_FILE = `${DATA_FOLDER}/changelog.key`;
const IGNORE_FILE = '.gitignore';
const KEY_NAME = 'Made by changelog init';

export type SetupItem = Readonly<{
  isNew: boolean;
  kind: 'file' | 'database' | 'key' | Outcome['kind'];
  name: string;
}>;

/** The output of `changelog import`. */
type Imported = Readonly<{ written: string; warnings: readonly string[] }>;

export type SetUpResult = Readonly<{
  items: readonly SetupItem[];
  team: Readonly<{ visibility: Visibility; plan: Plan }>;
  imported: Imported | null;
  /** The repository of a new product, which was found in its git remote. */
  repository: string | null;
  /** Whether `.env` was added to `.gitignore`. */
  isIgnored: boolean;
}>;

/** All rows are written in one transaction. The files are written before it commits, and removed if it fails. */
export async function setUp(
  cli: Cli,
  answers: InitAnswers,
  { current, asJson }: { current: CurrentSetup; asJson: boolean },
): Promise<SetUpResult> {
  const inside = withDatabase(cli, answers.databaseUrl);
  const [url] = configOf(inside).databaseUrls;
  const isNew = !(await engineOf(url)).exists(url);
  const settings = answers.writesSettings ? linesFor(cli, settingsFor(current, answers.databaseUrl)) : null;
  const isIgnored =
    settings !== null &&
    hasPassword(answers.databaseUrl) &&
    isTrackedByGit(cli.folder, DOT_ENV) &&
    !isCommitted(cli.folder, DOT_ENV);
  const repository = await readRepository(cli.folder, cli.environment);
  if (settings !== null) requireWritable(path.join(cli.folder, DOT_ENV));
  if (!existsSync(path.join(cli.folder, KEY_FILE))) requireWritable(path.join(cli.folder, KEY_FILE));

  const create = async (
    trx: Writer,
    { writeKey, writeSettings, ignore }: Record<'writeKey' | 'writeSettings' | 'ignore', WriteFile>,
  ): Promise<SetUpResult> => {
    const items: SetupItem[] = [{ isNew, kind: 'database', name: await describeDatabase(inside) }];
    const team = await createContent(trx, { ...answers, repository }, cli.now(), (item) => items.push(item));
    const isNewProduct = items.some((item) => item.isNew && item.kind === 'product');
    const imported = await importChangelog(cli, trx, answers, asJson);
    items.push(...(await createTeamKey(cli, trx, answers.team.slug, team.plan, writeKey)));
    if (isIgnored) ignore(`${DOT_ENV}\n`);
    if (settings !== null) writeSettings(settings);
    if (settings !== null || current.hasDotEnv)
      items.push({ isNew: !current.hasDotEnv, kind: 'file', name: DOT_ENV });
    return { items, team, imported, repository: isNewProduct ? repository : null, isIgnored };
  };
  const withDotEnv = current.hasDotEnv ? withAddition : withNewFile;
  return await withAddition(cli, IGNORE_FILE, (ignore) =>
    withDotEnv(cli, DOT_ENV, (writeSettings) =>
      withNewFile(cli, KEY_FILE, (writeKey) =>
        withWriter(inside, (trx) => create(trx, { writeKey, writeSettings, ignore }), { create: true }),
      ),
    ),
  );
}

type WriteFile = (text: string) => void;

/** Whatever exists already keeps its name and state. */
async function createContent(
  trx: Writer,
  { team, product, visibility, repository }: InitAnswers & Pick<SetUpResult, 'repository'>,
  now: string,
  report: (item: SetupItem) => void,
) {
  const target = await findTarget(trx, pathOf({ team, product }), {
    create: true,
    name: product.name,
    initial: { teamName: team.name, productName: product.name, visibility, status: 'published', repository },
  });
  await applyContent(trx, documentFor(target, []), {
    pruning: false,
    now,
    report: ({ action, kind, name }) => report({ isNew: action === 'created', kind, name }),
    reportPruned: () => {},
  });
  return target.team;
}

async function importChangelog(
  cli: Cli,
  trx: Writer,
  { changelog, ...answers }: InitAnswers,
  asJson: boolean,
): Promise<Imported | null> {
  if (changelog === null) return null;
  const product = pathOf(answers);
  const report = new ImportReport(product, changelog, {}, cli.now());
  const job = { product, changelog };
  const summary = await importInto(cli, trx, job, { format: changelog.format }, report);
  const written = asJson
    ? [...report.formatJson(summary)].join('\n')
    : report.formatLines(summary, outputPaint(cli));
  return { written, warnings: report.warnings(summary) };
}

/** The key is stored only in a file that git does not track; it is never printed. */
async function createTeamKey(
  cli: Cli,
  trx: Writer,
  team: string,
  plan: Plan,
  writeKey: WriteFile,
): Promise<SetupItem[]> {
  if (existsSync(path.join(cli.folder, KEY_FILE))) return [{ isNew: false, kind: 'key', name: KEY_FILE }];
  if (plan !== 'paid') return [];
  const key = formatApiKey(randomInt);
  await createKey(trx, {
    key,
    team,
    kind: 'FULL',
    products: [],
    name: KEY_NAME,
    now: cli.now(),
    expiresAt: null,
  });
  makeFolder(path.join(cli.folder, DATA_FOLDER), 0o700);
  writeKey(`${key}\n`);
  const items: SetupItem[] = [{ isNew: true, kind: 'key', name: KEY_FILE }];
  const ignoreFile = `${DATA_FOLDER}/.gitignore`;
  if (isTrackedByGit(cli.folder, KEY_FILE) && !existsSync(path.join(cli.folder, ignoreFile))) {
    writeFileSync(path.join(cli.folder, ignoreFile), '*\n', { flag: 'wx' });
    items.push({ isNew: true, kind: 'file', name: ignoreFile });
  }
  return items;
}

/** The lines for `.env`, quoted so that the whole file is parsed to the same values. */
function linesFor({ folder }: Cli, settings: Readonly<Record<string, string>>): string {
  const file = path.join(folder, DOT_ENV);
  const before = existsSync(file) ? `${readFileSync(file, 'utf8')}\n` : '';
  const entries = Object.entries(settings);
  const lines = ['', "'", '"', '`']
    .map((quote) => entries.map(([name, text]) => `${name}=${quote}${text}${quote}\n`).join(''))
    .find((text) => {
      const parsed = parseDotEnv(before + text);
      return entries.every(([name, value]) => parsed[name] === value);
    });
  if (lines === undefined)
    throw new Refusal(
      `${DOT_ENV} cannot hold the database URL: it has characters that need other quotes, or the file has a quote that is not closed; set ${DATABASE_SETTING} in the environment`,
    );
  return lines;
}
