import { statSync } from 'node:fs';
import path from 'node:path';
import { InvalidArgumentError } from 'commander';
import { COMMAND } from '../../../command-name.ts';
import { findSetting, SETTINGS } from '../../../config.ts';
import { DEFAULT_LANGUAGE } from '../../../domain/content/appearance.ts';
import { MIDNIGHT, scheduledIfLater } from '../../../domain/content/future-date.ts';
import { slugOf } from '../../../domain/slug.ts';
import { Refusal } from '../../../errors.ts';
import { type GitFailure, hasNoRepository, readCommitTime, readRepository } from '../../../import/git.ts';
import { readStylesheet } from '../../../serve/page-stylesheet.ts';
import * as site from '../../../site/content.ts';
import { type FolderReport, type Source, writeFolder } from '../../../site/folder.ts';
import { siteFiles } from '../../../site/site.ts';
import type { ProductPath } from '../../../store/read/reads.ts';
import {
  argument,
  collect,
  option,
  parseFileName,
  parseLanguage,
  parseName,
  parseProduct,
} from '../../arguments.ts';
import { type Cli, configOf, withReader } from '../../cli.ts';
import { command, UsageError } from '../../command.ts';
import { isLocal, readFile, readFiles, readFolder, withTagDates } from '../../files/read-changelog.ts';
import { resolveTarget } from '../../files/write-file.ts';
import { FILE_HELP, FILE_OPTIONS, type FileFlags } from '../../reading-options.ts';
import { warnOfDates } from '../../report/dates.ts';
import { warn } from '../../report/outcomes.ts';
import { withProgress } from '../../terminal/progress.ts';
import { count, escapeName, formatNumber } from '../../terminal/text.ts';

type BuildFlags = FileFlags &
  Readonly<{
    out: string;
    base?: string;
    name?: string;
    language?: string;
    exclude?: readonly string[];
    team?: string;
    product?: ProductPath;
    all?: boolean;
  }>;

type BuildReport = FolderReport & Readonly<{ products: number; versions: number }>;

export const buildCommand = command({
  name: 'build',
  about: 'write a static site of files or of the database',
  arguments: [
    argument(
      '[file...]',
      `${FILE_HELP}; or the folder of a monorepo; omit it with --product, --team or --all`,
      (file: string, before: readonly string[] = []) => [...before, parseFileName(file)],
    ),
  ],
  options: [
    option('--out <folder>', 'where to write the site (required)', parseFileName),
    option(
      '--base <url>',
      'public URL of the site, for absolute links in feeds and for search engines',
      parseBase,
    ),
    option('--product <team/product>', 'one product of the database', parseProduct),
    option('--team <team>', 'all products of a team of the database', parseName),
    option('--all', 'all products of the database'),
    option('--language <tag>', 'language of the texts in the files (default: en)', parseLanguage),
    option(
      '--name <name>',
      'name of the product, or of a site of several; default: that in the title of the file, or of its folder',
      parseName,
    ),
    option('--exclude <folder>', 'leave out packages in folders like this; may be repeated', collect),
    ...FILE_OPTIONS,
  ],
  examples: [
    'build CHANGELOG.md --out site',
    'build CHANGELOG.md --out site --base https://acme.github.io/rocket',
    'build . --out site --exclude examples/*',
    'build --product acme/rocket --out site',
    'build --all --out site --base https://changes.acme.com',
  ],
  run: async (cli, flags: BuildFlags, files: readonly string[]): Promise<BuildReport> => {
    requireOneSource(files, flags);
    if (files.length === 0) return await buildStored(cli, flags);
    const { content, sources } = await readContent(cli, files, flags);
    // Only from the environment: the folder may be a stranger's, with a `.env`.
    const stylesheet = findSetting(cli.environment, SETTINGS.pageStylesheet.variable)?.text || null;
    return await build(cli, content, flags, stylesheet, sources);
  },
  text: ({ files, versions, written, unchanged, removed }, _, { out, base }) => {
    const site = `${escapeName(out)}: ${count(versions, 'version')}, ${count(files, 'file')}`;
    if (written === 0 && removed === 0) return `${site}; nothing changed`;
    const parts = [`${formatNumber(written)} written`];
    if (unchanged > 0) parts.push(`${formatNumber(unchanged)} unchanged`);
    if (removed > 0) parts.push(`${formatNumber(removed)} removed`);
    const hint = 'Without --base URL there is no sitemap.xml, and links in feeds are relative.';
    return `${site} (${parts.join(', ')})\nOpen ${escapeName(path.join(out, 'index.html'))} in a browser.${base === undefined ? `\n${hint}` : ''}`;
  },
});

function parseBase(text: string): string {
  const url = SETTINGS.baseUrl.parse(text);
  if (url === undefined) throw new InvalidArgumentError(`It must be ${SETTINGS.baseUrl.accepts}.`);
  return `${url.replace(/\/index\.html$/, '')}/`;
}

/** The others say how to read a file. */
const FOR_ALL = ['out', 'base', 'team', 'product', 'all', 'readAs'];

function requireOneSource(files: readonly string[], flags: BuildFlags): void {
  const { out, team, product, all, readAs } = flags;
  if (out === undefined) throw new UsageError("required option '--out <folder>' not specified");
  const sources = [files[0], team, product, all].filter((source) => source !== undefined).length;
  if (sources === 0)
    throw new UsageError(
      "missing argument 'file'; or use --product, --team or --all for a site from the database",
    );
  if (sources > 1) throw new UsageError('choose one of a file, --product, --team and --all');
  const isForFile = readAs !== 'auto' || Object.keys(flags).some((name) => !FOR_ALL.includes(name));
  if (files.length === 0 && isForFile)
    throw new UsageError('--name, --language and the options that say how to read a file need a file');
}

/** One product, or several of a team that is named like the monorepo or the folder. */
async function readContent(cli: Cli, files: readonly string[], flags: BuildFlags) {
  const [first = ''] = files;
  const read = (file: string, names?: readonly string[]) => readDated(cli, file, flags, names);
  const isOne = files.length === 1 && !isFolder(path.resolve(cli.folder, first));
  const found =
    files.length > 1 || isOne
      ? await readFiles(cli, files, read)
      : await readFolder(cli, first, flags.exclude, read);
  const title = flags.name ?? found.name;
  const team = { slug: slugOf(title) || 'changelog', name: title };
  const seed = flags.base ?? team.slug;
  const folderOf = (file: string) => path.dirname(path.resolve(cli.folder, file));
  const products: site.SiteProduct[] = [];
  for (const { changelog, ...own } of found.changelogs) {
    const product = site.productOf(changelog, {
      ...(isOne ? { ...team, seed } : { ...own, seed: `${seed}/${own.slug}` }),
      team,
      place: products.length,
      language: flags.language ?? DEFAULT_LANGUAGE,
      repository: await readRepository(folderOf(changelog.fileName), cli.environment),
    });
    if (product.versions.length > 0) products.push(product);
  }
  warn(cli, [...found.warnings, ...found.changelogs.flatMap(({ changelog }) => changelog.warnings)]);
  const fileNames = found.changelogs.map(({ changelog }) => changelog.fileName);
  if (products.length === 0)
    throw new Refusal(
      `${fileNames.join(', ')} has no released version, so there is nothing to show; add a heading such as ## 1.0.0 - ${cli.now().slice(0, 10)}`,
    );
  const sources = fileNames.map((file): Source => ({ path: path.resolve(cli.folder, file), name: file }));
  const content: site.SiteContent = { kind: isOne ? 'product' : 'team', products };
  return { content, sources };
}

/** With all dates: of the tags of its repository, of the nearest version, or of the last change to the file. */
async function readDated(cli: Cli, file: string, flags: BuildFlags, names?: readonly string[]) {
  const changelog = await readFile(cli, file, { ...flags, format: flags.readAs });
  const warnings = [...changelog.warnings];
  const place = path.resolve(cli.folder, file);
  const isUndated = ({ isDated }: { isDated: boolean }) => !isDated;
  let { versions } = changelog;
  if (isLocal(file) && versions.some(isUndated))
    try {
      ({ versions } = await withTagDates(cli, changelog, path.dirname(place), names));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (!hasNoRepository(error.cause as GitFailure)) warnings.push(error.message);
    }
  versions = versions.map((version) => ({
    ...version,
    content: scheduledIfLater(version.content, cli.now()),
  }));
  const later = versions.map(({ content: { version, publishAt } }) => ({ name: version, publishAt }));
  warnings.push(...warnOfDates(later, cli.now(), { isFile: true }));
  const undated = versions.filter(isUndated).length;
  if (undated > 0) {
    const changed = isLocal(file)
      ? ((await readCommitTime(place, cli.environment)) ?? statSync(place).mtime.toISOString())
      : cli.now();
    versions = site.fillDates(versions, `${changed.slice(0, 10)}${MIDNIGHT}`);
    const have = undated === 1 ? '1 version has' : `${undated} versions have`;
    warnings.push(
      `${changelog.fileName}: ${have} no date; the site shows that of the nearest version, or of the last change to the file. Write dates into the file, or tag the versions in Git`,
    );
  }
  return { ...changelog, versions, warnings };
}

const isFolder = (place: string) => statSync(place, { throwIfNoEntry: false })?.isDirectory() ?? false;

async function buildStored(cli: Cli, flags: BuildFlags): Promise<BuildReport> {
  const target: site.Target = flags.product ?? { team: flags.team };
  const { pageStylesheet: stylesheet } = configOf(cli);
  return await withReader(cli, (db) =>
    // One snapshot: the files must not contradict each other.
    db.transaction().execute(async (trx) => {
      const content = await site.readContent(trx, target);
      const { team = 'the database', product } = target;
      const what = product === undefined ? team : `${team}/${product}`;
      if (content.products.length === 0)
        throw new Refusal(
          `${what} has nothing public; a site shows published changelogs of public teams. \`${COMMAND} team list\` and \`${COMMAND} product list TEAM\` show what there is. Files of an earlier build stay until you delete them`,
        );
      return await build(cli, content, flags, stylesheet);
    }),
  );
}

async function build(
  cli: Cli,
  content: site.SiteContent,
  { out, base = null }: Pick<BuildFlags, 'out'> & { base?: string | null },
  stylesheet: string | null,
  sources: readonly Source[] = [],
): Promise<BuildReport> {
  const { products } = content;
  const files = siteFiles(content, { base, extraCss: readStylesheet(stylesheet, cli.folder) });
  const work = { what: `building ${out}`, format: (amount: number) => count(amount, 'file') };
  const report = await withProgress(cli, work, (done) => {
    const onFile = (written: number) => done(written, files.length);
    return writeFolder(resolveTarget(cli.folder, out), files, { name: out, sources, onFile });
  });
  const versions = products.reduce((sum, product) => sum + product.versions.length, 0);
  return { ...report, products: products.length, versions };
}
