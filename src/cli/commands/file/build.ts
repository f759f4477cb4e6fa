import { statSync } from 'node:fs';
import path from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { COMMAND } from '../../../command-name.ts';
import { findSetting, SETTINGS } from '../../../config.ts';
import { DEFAULT_LANGUAGE } from '../../../domain/content/appearance.ts';
import { MIDNIGHT, scheduledIfLater } from '../../../domain/content/future-date.ts';
import { slugOf } from '../../../domain/slug.ts';
import { Refusal } from '../../../errors.ts';
import type { ImportedVersion } from '../../../import/changelog.ts';
import type { GitFailure } from '../../../import/git.ts';
import type { OutputReport, Source } from '../../../site/output-folder.ts';
import type { Target } from '../../../site/site.ts';
import type { Reader } from '../../../store/engine/engine.ts';
import type { ProductPath } from '../../../store/read/reads.ts';
import {
  parseFileName,
  parseLanguage,
  parseName,
  parseProduct,
  parseTime,
  withExamples,
  withJson,
  wordsOf,
} from '../../arguments.ts';
import { type Cli, configOf, printResult, withReader } from '../../cli.ts';
import { openSource, requireSafeUrl } from '../../files/open-file.ts';
import { type NamedChangelog, readFile, withTagDates } from '../../files/read-changelog.ts';
import { resolveTarget } from '../../files/write-file.ts';
import { FILE_HELP, type FileFlags, withFileOptions } from '../../reading-options.ts';
import { DateWarnings } from '../../report/dates.ts';
import { warn } from '../../report/outcomes.ts';
import { withStopSignals } from '../../stop-signals.ts';
import { escapeName } from '../../terminal/plain.ts';
import { formatVersions, startProgress } from '../../terminal/progress.ts';

type BuildFlags = FileFlags & {
  out: string;
  base?: string;
  name?: string;
  language?: string;
  publishedAt?: string;
  team?: string;
  product?: ProductPath;
  all?: boolean;
  json?: boolean;
};

export function addBuild(program: Command, cli: Cli): void {
  const command = withExamples(
    withJson(program.command('build')),
    'build CHANGELOG.md --out site',
    'build CHANGELOG.md --out site --base https://acme.github.io/rocket',
    'build --product acme/rocket --out site',
    'build --all --out site --base https://changes.acme.com',
  )
    .description('write a static site, from a changelog file or from what is public in the database')
    .argument('[file]', `${FILE_HELP}; omit it with --product, --team or --all`, parseFileName)
    .option('--out <folder>', 'where to write the site (required)', parseFileName)
    .option(
      '--base <url>',
      'public URL of the site, for absolute links in feeds and for search engines',
      parseBase,
    )
    .option('--product <team/product>', 'one product of the database', parseProduct)
    .option('--team <team>', 'all products of a team of the database', parseName)
    .option('--all', 'all products of the database')
    .option('--language <tag>', 'language of the texts in the file (default: en)', parseLanguage)
    .option(
      '--name <name>',
      'name of the product; default: that in the title of the file, or of its folder',
      parseName,
    )
    .option('--dates-from-git <repo>', 'take missing dates from the tags of this repository')
    .option('--published-at <time>', 'the date of versions without one', parseTime);
  withFileOptions(command).action(async (file: string | undefined, flags: BuildFlags, self: Command) => {
    requireOneSource(file, flags, self);
    const report =
      file === undefined ? await buildStored(cli, flags) : await buildFile(cli, file, flags, self);
    printResult(cli, flags, report, () => describe(report, flags));
  });
}

function parseBase(text: string): string {
  const url = SETTINGS.baseUrl.parse(text);
  if (url === undefined) throw new InvalidArgumentError(`It must be ${SETTINGS.baseUrl.accepts}.`);
  return `${url.replace(/\/index\.html$/, '')}/`;
}

const FOR_FILES = [
  'language',
  'name',
  'mergeDuplicates',
  'datesFromGit',
  'publishedAt',
  'heading',
  'section',
  'dateOrder',
] as const;

function requireOneSource(file: string | undefined, flags: BuildFlags, command: Command): void {
  const { out, team, product, all } = flags;
  if (out === undefined) command.error("error: required option '--out <folder>' not specified");
  const sources = [file, team, product, all].filter((source) => source !== undefined).length;
  if (sources !== 1)
    command.error(
      sources === 0
        ? "error: missing argument 'file'; or use --product, --team or --all for a site from the database"
        : 'error: choose one of a file, --product, --team and --all',
    );
  if (file === undefined && (FOR_FILES.some((name) => flags[name] !== undefined) || flags.readAs !== 'auto'))
    command.error('error: --name, --language and the options that say how to read a file need a file');
}

type BuildReport = OutputReport & Readonly<{ products: number; versions: number }>;

async function buildFile(cli: Cli, file: string, flags: BuildFlags, command: Command): Promise<BuildReport> {
  requireSafeUrl(file, wordsOf(command));
  const { slug, ...opened } = await openFileAsDatabase(cli, file, flags);
  await using db = opened.db;
  const source = { path: path.resolve(cli.folder, file), name: file };
  // Only from the environment: the folder may be a stranger's, with a `.env`.
  const stylesheet = findSetting(cli.environment, SETTINGS.pageStylesheet.variable)?.text || null;
  return await build(cli, db, { team: slug, product: slug }, { ...flags, source, stylesheet });
}

/** A function of its own, so that the file is not kept in memory. */
async function openFileAsDatabase(cli: Cli, file: string, flags: BuildFlags) {
  const read = await readFile(cli, file, { ...flags, format: flags.readAs }, openSource);
  const { changelog, warnings } = await withAllDates(cli, file, read, flags);
  const dates = new DateWarnings(cli.now());
  for (const { content } of changelog.versions) dates.add(content.version, null, content.publishAt);
  warn(cli, [...changelog.warnings, ...warnings, ...dates.warningsOfLater()]);
  if (!changelog.versions.some(({ content }) => content.status === 'published'))
    throw new Refusal(
      `${changelog.fileName} has no released version, so there is nothing to show; add a heading such as ## 1.0.0 - ${cli.now().slice(0, 10)}`,
    );
  const name = flags.name ?? nameOf(cli, file, changelog);
  const slug = slugOf(name) || 'changelog';
  const { openChangelog } = await import('../../../site/from-file.ts');
  const db = await openChangelog(changelog, {
    name,
    slug,
    seed: flags.base ?? slug,
    language: flags.language ?? DEFAULT_LANGUAGE,
    repository: await repositoryOf(cli, file),
    now: cli.now(),
  });
  return { db, slug };
}

/** Missing dates are those of the tags of the file's own repository; without tags, they are estimated. */
async function withAllDates(
  cli: Cli,
  file: string,
  read: NamedChangelog,
  { datesFromGit, publishedAt }: BuildFlags,
): Promise<Readonly<{ changelog: NamedChangelog; warnings: readonly string[] }>> {
  const tagged = await withDatesOfTags(cli, read, {
    datesFromGit,
    folder: isFile(file) ? path.dirname(file) : null,
  });
  const scheduled = (versions: readonly ImportedVersion[]) =>
    versions.map((version) => ({ ...version, content: scheduledIfLater(version.content, cli.now()) }));
  const dated = scheduled(tagged.versions);
  const undated = dated.filter(({ isDated }) => !isDated).length;
  if (undated === 0) return { changelog: { ...tagged, versions: dated }, warnings: [] };
  const changed = isFile(file) ? await lastChange(cli, path.resolve(cli.folder, file)) : cli.now();
  const { fillDates } = await import('../../../site/from-file.ts');
  const versions = fillDates(dated, publishedAt ?? null, `${changed.slice(0, 10)}${MIDNIGHT}`);
  const what = undated === 1 ? '1 version has no date' : `${undated} versions have no date`;
  const warnings =
    publishedAt === undefined
      ? [
          `${tagged.fileName}: ${what}; the site shows that of the nearest version, or of the last change to the file. Write dates into the file, tag the versions in Git, or use --published-at DATE`,
        ]
      : [];
  return { changelog: { ...tagged, versions: scheduled(versions) }, warnings };
}

async function withDatesOfTags(
  cli: Cli,
  changelog: NamedChangelog,
  { datesFromGit, folder }: Readonly<{ datesFromGit: string | undefined; folder: string | null }>,
): Promise<NamedChangelog> {
  if (datesFromGit !== undefined) return await withTagDates(cli, changelog, datesFromGit);
  if (folder === null || changelog.versions.every(({ isDated }) => isDated)) return changelog;
  try {
    return await withTagDates(cli, changelog, folder);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { hasNoRepository } = await import('../../../import/git.ts');
    if (!hasNoRepository(error.cause as GitFailure)) warn(cli, [error.message]);
    return changelog;
  }
}

/** By the git remote of its folder. */
async function repositoryOf({ folder, environment }: Cli, file: string): Promise<string | null> {
  if (!isFile(file)) return null;
  const { readRepository } = await import('../../../import/git.ts');
  return await readRepository(path.dirname(path.resolve(folder, file)), environment);
}

const isFile = (name: string) => name !== '-' && !URL.canParse(name);

/** The time of its last commit, which is the same in every clone. */
async function lastChange({ environment }: Cli, file: string): Promise<string> {
  const { readCommitTime } = await import('../../../import/git.ts');
  return (await readCommitTime(file, environment)) ?? statSync(file).mtime.toISOString();
}

/** The name in the file, or that of its folder: `rocket-engine` becomes `Rocket Engine`. */
function nameOf(cli: Cli, file: string, { name }: NamedChangelog): string {
  const folder = isFile(file) ? path.basename(path.dirname(path.resolve(cli.folder, file))) : '';
  const words = slugOf(folder).split('-');
  const named = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ');
  return productIn(name ?? '') || named || name || 'Changelog';
}

/** `Rocket changelog` is about Rocket; a title that says more is not a name. */
function productIn(title: string): string {
  const name = title
    .replace(/[\s:–—-]*\b(?:change ?log|changes|release notes|releases|history|news)\b.*$/i, '')
    .trim();
  const isName = name.split(/\s+/).length <= 3 && !/\b(?:of|for|in|to|the|all)\b/i.test(name);
  return isName ? name : '';
}

async function buildStored(cli: Cli, flags: BuildFlags): Promise<BuildReport> {
  const { product, team } = flags;
  const { pageStylesheet: stylesheet } = configOf(cli);
  return await withReader(cli, (db) =>
    // One snapshot: the files must not contradict each other.
    db.transaction().execute((trx) => build(cli, trx, product ?? { team }, { ...flags, stylesheet })),
  );
}

type BuildOptions = BuildFlags & Readonly<{ source?: Source; stylesheet: string | null }>;

async function build(
  cli: Cli,
  db: Reader,
  target: Target,
  { out, base, source, stylesheet }: BuildOptions,
): Promise<BuildReport> {
  const [{ hasSite, openOutputFolder }, { findContent, siteFiles }, { openRenderer }, { readStylesheet }] =
    await Promise.all([
      import('../../../site/output-folder.ts'),
      import('../../../site/site.ts'),
      import('../../../text/render.ts'),
      import('../../../serve/page-stylesheet.ts'),
    ]);
  const extraCss = readStylesheet(stylesheet, cli.folder);
  const content = await findContent(db, target);
  const directory = resolveTarget(cli.folder, out);
  if (content.products.length === 0)
    throw await nothingPublicError(db, target, hasSite(directory) ? out : null);
  using folder = openOutputFolder(directory, out, source);
  const whole = content.versionCount;
  const progress = startProgress(cli, { what: `building ${out}`, whole, format: formatVersions });
  const options = {
    db,
    render: openRenderer(CACHE_MB),
    base: base ?? null,
    extraCss,
    onVersions: progress.done,
  };
  try {
    return await withStopSignals(['SIGINT', 'SIGTERM', 'SIGHUP'], async (signal) => {
      for await (const { path: file, body } of siteFiles(content, options)) {
        folder.put(file, body);
        if (signal.aborted) throw new Refusal(`stopped by ${signal.reason}; ${out} is as it was`);
      }
      return { ...folder.finish(), products: content.products.length, versions: whole };
    });
  } finally {
    progress.end();
  }
}

/** Texts are rendered several times in a row, and then not again. */
const CACHE_MB = 32;

async function nothingPublicError(
  db: Reader,
  { team, product }: Target,
  lastSite: string | null,
): Promise<Refusal> {
  if (lastSite === null) await requireKnown(db, team, product);
  const what = product === undefined ? (team ?? 'the database') : `${team}/${product}`;
  const left =
    lastSite === null ? '' : `. ${lastSite} still has the last site; delete it if it should not be public`;
  return new Refusal(
    `${what} has nothing public; a site shows published changelogs of public teams. \`${COMMAND} team list\` and \`${COMMAND} product list TEAM\` show what there is${left}`,
  );
}

/** A typo is more likely than a name of what is hidden. */
async function requireKnown(db: Reader, team?: string, product?: string): Promise<void> {
  const { countOfTeam, countVersionsAt } = await import('../../../store/catalogue/catalogue.ts');
  if (team === undefined) return;
  if (product === undefined) await countOfTeam(db, team);
  else await countVersionsAt(db, { team, product }, { needsChangelog: true });
}

function describe(
  { written, removed, unchanged, files, versions }: BuildReport,
  { out, base }: BuildFlags,
): string {
  const site = `${escapeName(out)}: ${count(versions, 'version')}, ${count(files, 'file')}`;
  if (written === 0 && removed === 0) return `${site}; nothing changed`;
  const changes = [
    `${format(written)} written`,
    unchanged > 0 && `${format(unchanged)} unchanged`,
    removed > 0 && `${format(removed)} removed`,
  ];
  const hint =
    base === undefined
      ? '\nWithout --base URL there is no sitemap.xml, and links in feeds are relative.'
      : '';
  return `${site} (${changes.filter((each) => each !== false).join(', ')})\nOpen ${escapeName(path.join(out, 'index.html'))} in a browser.${hint}`;
}

const format = (number: number) => number.toLocaleString('en');
const count = (number: number, noun: string) => `${format(number)} ${noun}${number === 1 ? '' : 's'}`;
