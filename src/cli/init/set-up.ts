// Everything that `init` makes: rows in one transaction, and the files that belong to them. All of it, or nothing.
import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parseEnv } from 'node:util';
import { formatApiKey } from '../../domain/access/api-key.ts';
import type { Plan, Visibility } from '../../domain/model.ts';
import { Refusal } from '../../errors.ts';
import { findTeam, listChangelogs, listProducts } from '../../store/catalogue/catalogue.ts';
import { asReader, type Writer } from '../../store/engine/engine.ts';
import { engineOf } from '../../store/engine/open.ts';
import { applyContent } from '../../store/write/apply.ts';
import { createKey } from '../../store/write/keys.ts';
import type { Outcome } from '../../store/write/outcome.ts';
import { type Cli, configOf, withWriter } from '../cli.ts';
import { importInto } from '../commands/import.ts';
import { ImportReport } from '../report/import-report.ts';
import { outputPaint } from '../terminal/colours.ts';
import { type CurrentSetup, DOT_ENV, describeDatabase, withDatabase } from './current-setup.ts';
import { DATA_FOLDER, existingKeyReads, KEY_FILE } from './existing-key.ts';
import { isTrackedByGit } from './guesses.ts';
import { newDatabase } from './new-database.ts';
import { type NewFiles, newFiles, takingBackOnSignals } from './new-files.ts';
import type { InitAnswers } from './questions.ts';

const KEY_NAME = 'Made by changelog init';
const FOR_THIS_USER = 0o600;

/** `isNew` tells what was made from what was there already. */
export type SetupItem = Readonly<{
  isNew: boolean;
  kind: 'file' | 'database' | 'key' | Outcome['kind'];
  name: string;
}>;

/** What was imported, as `changelog import` says it. */
export type Imported = Readonly<{ written: string; warnings: readonly string[] }>;

export type SetUpResult = Readonly<{
  things: readonly SetupItem[];
  team: Readonly<{ visibility: Visibility; plan: Plan }>;
  imported: Imported | null;
  /** Does the key at hand read what was set up? */
  hasKey: boolean;
}>;

export async function setUp(
  cli: Cli,
  answers: InitAnswers,
  { place, asJson }: { place: CurrentSetup; asJson: boolean },
): Promise<SetUpResult> {
  const inside = withDatabase(cli, answers.databaseUrl);
  const {
    databaseUrls: [url],
    autoMigrate,
  } = configOf(inside);
  const engine = await engineOf(url);
  const file = autoMigrate && !engine.exists(url) ? engine.fileOf(url) : null;
  const files = newFiles();
  const database = file === null ? null : newDatabase(file, files);
  const things: SetupItem[] = [
    { isNew: database !== null, kind: 'database', name: await describeDatabase(inside) },
  ];
  const make = async () => {
    const made = await withWriter(
      database === null ? inside : withDatabase(cli, database.url),
      async (writer) => {
        const trx = hearingSignals(writer);
        const team = await makeContent(trx, answers, cli.now(), (thing) => things.push(thing));
        const imported = await importChangelog(cli, trx, answers, asJson);
        things.push(...(await makeKey(cli, trx, answers, team.plan, files)));
        const product = { team: answers.team.slug, product: answers.product.slug };
        const hasKey = await existingKeyReads(asReader(trx), cli.folder, product);
        // Written last: whatever fails before has left none of them.
        things.push(...writeSettings(cli, answers, place, files));
        return { team, imported, hasKey };
      },
      { create: true },
    );
    database?.keep();
    return { things, ...made };
  };
  try {
    return await takingBackOnSignals(files, make);
  } catch (error) {
    files.takeBack();
    throw error;
  }
}

const HEARING_MS = 50;

/** An embedded database answers at once, so that nobody else would get a word in: a signal is heard between statements. */
function hearingSignals(trx: Writer): Writer {
  let heardAt = performance.now();
  return trx.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if (performance.now() - heardAt > HEARING_MS) {
        await nextTurn();
        heardAt = performance.now();
      }
      return result;
    },
  });
}

/** What is there already is named as it is, and so stays. */
async function makeContent(
  trx: Writer,
  { team, product, visibility }: InitAnswers,
  now: string,
  tell: (thing: SetupItem) => void,
) {
  const db = asReader(trx);
  const foundTeam = await findTeam(db, team.slug);
  const products = await listProducts(db, team.slug);
  const foundProduct = products.find(({ slug }) => slug === product.slug);
  const changelogs = await listChangelogs(db, team.slug);
  const foundChangelog = changelogs.find((changelog) => changelog.product === product.slug);
  const content = {
    team: foundTeam ?? { ...team, visibility, plan: 'paid' as const },
    products: [
      {
        slug: product.slug,
        name: foundProduct?.name ?? product.name,
        status: foundProduct?.status ?? ('published' as const),
        changelog: {
          name: foundChangelog?.name ?? product.name,
          status: foundChangelog?.status ?? ('published' as const),
          versions: [],
        },
      },
    ],
  };
  await applyContent(trx, content, {
    pruning: false,
    now,
    tell: ({ action, kind, name }) => tell({ isNew: action === 'created', kind, name }),
    tellPruned: () => {},
  });
  return content.team;
}

async function importChangelog(
  cli: Cli,
  trx: Writer,
  { team, product, changelog }: InitAnswers,
  asJson: boolean,
): Promise<Imported | null> {
  if (changelog === null) return null;
  const path = { team: team.slug, product: product.slug };
  const report = new ImportReport(path, changelog, {});
  try {
    const summary = await importInto(cli, trx, path, changelog, { format: changelog.format }, report);
    const texts = asJson ? report.writeJson(summary) : report.writeLines(summary, outputPaint(cli));
    return { written: [...texts].join('\n'), warnings: report.warnings(summary) };
  } finally {
    report.close();
  }
}

/** One key that reads everything of the team. It is nowhere but in a file that only this user can read. */
async function makeKey(
  cli: Cli,
  trx: Writer,
  { team }: InitAnswers,
  plan: Plan,
  files: NewFiles,
): Promise<SetupItem[]> {
  const file = path.join(cli.folder, KEY_FILE);
  if (existsSync(file)) return [{ isNew: false, kind: 'key', name: KEY_FILE }];
  if (plan !== 'paid') return [];
  const key = formatApiKey(randomInt);
  const wanted = {
    key,
    team: team.slug,
    kind: 'FULL',
    products: [],
    name: KEY_NAME,
    now: cli.now(),
  } as const;
  await createKey(trx, wanted);
  files.write(file, `${key}\n`, FOR_THIS_USER);
  const ignoring = `${DATA_FOLDER}/.gitignore`;
  if (!isTrackedByGit(cli.folder, KEY_FILE) || existsSync(path.join(cli.folder, ignoring)))
    return [{ isNew: true, kind: 'key', name: KEY_FILE }];
  files.write(path.join(cli.folder, ignoring), '*\n');
  return [
    { isNew: true, kind: 'key', name: KEY_FILE },
    { isNew: true, kind: 'file', name: ignoring },
  ];
}

function writeSettings(
  cli: Cli,
  { databaseUrl }: InitAnswers,
  place: CurrentSetup,
  files: NewFiles,
): SetupItem[] {
  if (place.hasDotEnv) return [{ isNew: false, kind: 'file', name: DOT_ENV }];
  if (place.databaseUrlSource === 'environment') return [];
  files.write(path.join(cli.folder, DOT_ENV), `DATABASE_URL=${quoted(databaseUrl)}\n`, FOR_THIS_USER);
  return [{ isNew: true, kind: 'file', name: DOT_ENV }];
}

/** As `.env` is read again, in whatever quotes that takes. */
function quoted(value: string): string {
  const written = ['', "'", '"', '`']
    .map((quote) => `${quote}${value}${quote}`)
    .find((text) => parseEnv(`DATABASE_URL=${text}\n`).DATABASE_URL === value);
  if (written === undefined)
    throw new Refusal(
      `the address of the database has characters that ${DOT_ENV} cannot hold: set DATABASE_URL in the environment.`,
    );
  return written;
}
