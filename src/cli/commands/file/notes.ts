import path from 'node:path';
import { PRODUCT_RULES } from '../../../domain/content/appearance.ts';
import { isInFuture, type Present, presentAt } from '../../../domain/content/future-date.ts';
import {
  type Choice,
  chooseRange,
  chooseVersions,
  type ListedVersion,
  nearestLabels,
  UNRELEASED,
} from '../../../domain/version-choice.ts';
import { LATEST } from '../../../domain/version-names.ts';
import { Refusal } from '../../../errors.ts';
import { type ChooseLabels, listVersion } from '../../../import/changelog.ts';
import { warnOfStrays } from '../../../import/collect-versions.ts';
import { headOf, rowOf } from '../../../present/changelog.ts';
import type { NotesForm } from '../../../present/notes/form.ts';
import { wholeNumber } from '../../../setting-parsers.ts';
import type { FullVersion } from '../../../store/read/pages.ts';
import type { Render } from '../../../text/render.ts';
import { argument, choice, option, parseFileName, parseLanguage, ruled } from '../../arguments.ts';
import type { Cli } from '../../cli.ts';
import { command, UsageError } from '../../command.ts';
import { readFile } from '../../files/read-changelog.ts';
import { resolveTarget, writeOutput } from '../../files/write-file.ts';
import { FILE, FILE_OPTIONS, type FileFlags } from '../../reading-options.ts';
import { warnOfDates } from '../../report/dates.ts';
import { warn } from '../../report/outcomes.ts';
import { escapeControls, escapeName, formatJson } from '../../terminal/text.ts';

const FORMATS = ['md', 'txt', 'html', 'json'] as const;
type Format = (typeof FORMATS)[number];

/** The characters that a store accepts. */
const STORES: Readonly<Record<string, number>> = { play: 500, appstore: 4_000, fdroid: 500 };
/** Stores with a file for each version code, in a directory for each language. */
const STORES_WITH_CODES = ['fdroid', 'play'];
const CHARACTERS = wholeNumber(1, 1_000_000);
const VERSION_CODE = wholeNumber(1, 2_147_483_647);
const STORE_LANGUAGE = 'en-US';

/** Loaded only when needed: Markdown takes neither a parser nor a style sheet. */
const FORMS: Readonly<Record<Exclude<Format, 'json'>, () => Promise<NotesForm>>> = {
  md: async () => (await import('../../../present/outputs/markdown.ts')).markdownNotes,
  txt: async () => (await import('../../../present/notes/text.ts')).textNotes,
  html: async () => (await import('../../../present/notes/html.ts')).htmlNotes,
};

const render: Render = async (texts, writer) => {
  const { renderAtOnce } = await import('../../../text/parse.ts');
  return renderAtOnce(texts, writer);
};

/** Stores show every line break, also those of lines that were wrapped at some width. */
const renderForStore: Render = async (texts, { write }) => {
  const { joinLines } = await import('../../../text/plain.ts');
  return render(texts, { key: null, write: (tree) => write({ ...tree, nodes: joinLines(tree.nodes) }) });
};

const { home } = PRODUCT_RULES;

type Store = Readonly<{ name: string; charactersMax: number }>;

type NotesFlags = FileFlags &
  Readonly<{
    from?: string;
    format?: Format;
    json?: boolean;
    for?: Store;
    url?: string;
    language?: string;
    versionCode?: number;
    out?: string;
    allowEmpty?: boolean;
  }>;

const parseStore = ruled(
  (text): Store | undefined => {
    const name = text.toLowerCase();
    const charactersMax = Object.hasOwn(STORES, name) ? STORES[name] : CHARACTERS.parse(text);
    return charactersMax === undefined ? undefined : { name, charactersMax };
  },
  `${Object.keys(STORES).join(', ')} or a number of characters, ${CHARACTERS.accepts}`,
);

export const notesCommand = command({
  name: 'notes',
  about: 'print the notes of a version, or of all after another one',
  arguments: [FILE, argument('[version]', `a label, ${LATEST} or ${UNRELEASED}`).default(LATEST)],
  options: [
    option('--from <version>', 'the notes of all versions after this one'),
    choice('--format <format>', 'format of the notes; md, or txt with --for', FORMATS),
    option('--json', 'the same as --format json'),
    option(
      '--for <store>',
      'text cut to what play, appstore or fdroid accepts, or to a number of characters',
      parseStore,
    ),
    option(
      '--url <url>',
      'with --for: where all notes are, for the last line of a cut text',
      ruled(home.read, home.wanted),
    ),
    option('--language <tag>', 'language of the notes, for HTML and --version-code', parseLanguage),
    option(
      '--version-code <number>',
      'with --for fdroid or play: write DIR/en-US/changelogs/NUMBER.txt',
      VERSION_CODE,
    ),
    option('--out <path>', 'write to this file, or below this directory with --version-code', parseFileName),
    option('--allow-empty', 'accept a version without notes'),
    ...FILE_OPTIONS,
  ],
  examples: [
    'notes CHANGELOG.md',
    'notes CHANGELOG.md 2.1.0 --out notes.md',
    'notes CHANGELOG.md --from 1.4.0 --format html',
    'notes CHANGELOG.md --for play --url https://rocket.example/changes',
    'notes CHANGELOG.md --for fdroid --version-code 140 --out fastlane/metadata/android',
  ],
  run: async (cli, flags: NotesFlags, file: string, name: string) => {
    const format = readFormat(flags);
    const { out = '-' } = flags;
    // The notes of one version would be all that is left of the changelog.
    if (out !== '-' && resolveTarget(cli.folder, file) === resolveTarget(cli.folder, out))
      throw new Refusal(`${escapeName(out)} is the changelog itself; choose another file with --out.`);
    const changelog = await readVersions(cli, file, name, flags);
    const chosen = choose(changelog, name, flags);
    const text = await write(changelog, chosen, format, flags);
    // Such a version is not the latest one: the date may be a mistake.
    const later = changelog.versions.map(({ label, publishedAt, isDraft }) => ({
      name: label,
      publishAt: isDraft ? publishedAt : null,
    }));
    warn(cli, warnOfDates(later, cli.now(), { isFile: true }));
    if (out === '-') {
      // To a terminal, text that is safe there; to all else, what the service would send.
      const shown = cli.columns === undefined ? text : escapeControls(text);
      if (shown !== '') await cli.print(shown.replace(/\n$/, ''));
      return;
    }
    const { versionCode, language = STORE_LANGUAGE } = flags;
    const ofCode = path.join(out, language, 'changelogs', `${versionCode}.txt`);
    const written = versionCode === undefined ? out : ofCode;
    await writeOutput(cli, written, text, { withFolders: versionCode !== undefined });
    const { versions } = chosen;
    const labels = versions.length === 1 ? versions[0]?.label : `${versions.length} versions`;
    await cli.print(`${escapeName(written)}: the notes of ${escapeName(labels ?? '')}`);
  },
});

/** Combinations of options that make no sense are wrong usage. */
function readFormat(flags: NotesFlags): Format {
  const { json = false, for: store, url, versionCode, language, out = '-' } = flags;
  const format = json ? 'json' : (flags.format ?? (store ? 'txt' : 'md'));
  const expect = (isMet: boolean, problem: string) => {
    if (!isMet) throw new UsageError(`option ${problem}`);
  };
  if (store)
    expect(
      format === 'txt',
      `--for always prints plain text and cannot be combined with --${json ? 'json' : 'format'}`,
    );
  else expect(url === undefined, '--url requires --for');
  if (versionCode !== undefined) {
    expect(
      STORES_WITH_CODES.includes(store?.name ?? ''),
      '--version-code requires --for fdroid or --for play',
    );
    expect(out !== '-', '--version-code requires --out with a directory, such as fastlane/metadata/android');
  } else if (language !== undefined)
    expect(format === 'html', '--language requires --version-code or --format html');
  return format;
}

type FileVersion = ListedVersion & Readonly<{ row: FullVersion }>;
type FileChangelog = Readonly<{ fileName: string; name: string | null; versions: readonly FileVersion[] }>;

async function readVersions(
  cli: Cli,
  file: string,
  wanted: string,
  flags: NotesFlags,
): Promise<FileChangelog> {
  const { readAs, mergeDuplicates, from } = flags;
  const present = presentAt(cli.now());
  const asOfNow = (version: ListedVersion) => untilItsDate(version, present);
  const chooseLabels: ChooseLabels = (listed) =>
    new Set(find(listed.map(asOfNow), wanted, from)?.versions.map(({ label }) => label));
  const reading = { ...flags, format: readAs };
  // A date that is found in another version of the same label may change the choice.
  const choose = mergeDuplicates ? null : chooseLabels;
  const { fileName, name, versions } = await readFile(cli, file, reading, choose);
  warn(cli, warnOfStrays(versions, fileName));
  const genuine = versions.filter(({ stray }) => stray === undefined);
  return {
    fileName,
    name,
    versions: genuine.map((version) => {
      const listed = asOfNow(listVersion(version));
      const row = rowOf({ ...version.content, status: listed.isDraft ? 'draft' : 'published' });
      return { ...listed, row };
    }),
  };
}

/** Undefined if there is no such version. */
function find<T extends ListedVersion>(
  listed: readonly T[],
  name: string,
  from?: string,
): Choice<T> | undefined {
  const chosen = chooseVersions(listed, name);
  return chosen === undefined || from === undefined ? chosen : chooseRange(listed, from, chosen);
}

/** The notes of a release are written on its day, which may have begun where the author is. */
function untilItsDate(version: ListedVersion, present: Present): ListedVersion {
  const { publishedAt, isDraft } = version;
  return { ...version, isDraft: isDraft || (publishedAt !== null && isInFuture(publishedAt, present)) };
}

function choose(
  { fileName, versions }: FileChangelog,
  name: string,
  { from, allowEmpty }: NotesFlags,
): Choice<FileVersion> {
  const file = escapeName(fileName);
  const chosen = find(versions, name, from);
  if (chosen === undefined) {
    const missing = chooseVersions(versions, name) === undefined ? name : (from ?? '');
    throw new Refusal(`${file} ${describeMissing(versions, missing)}.`);
  }
  if (allowEmpty || chosen.versions.some(({ row }) => hasNotes(row))) return chosen;
  const labels = chosen.versions.map(({ label }) => label);
  throw new Refusal(
    labels.length === 0
      ? `${file} has no versions newer than ${from} up to ${name}; use --allow-empty to allow this.`
      : `${file}: ${labels.join(', ')} ${labels.length === 1 ? 'has' : 'have'} no notes (no description and no changes); write them, or use --allow-empty.`,
  );
}

function hasNotes({ yanked, description, changes }: FullVersion): boolean {
  return yanked === 1 || changes.length > 0 || (description ?? '').trim() !== '';
}

function describeMissing(versions: readonly FileVersion[], name: string): string {
  if (name === LATEST)
    return `has no released version; use \`${UNRELEASED}\` for the notes of what is not released`;
  if (name.toLowerCase() === UNRELEASED) return 'has no unreleased section';
  const nearest = nearestLabels(versions, name);
  const are = nearest.length === 1 ? 'is' : 'are';
  return `has no version ${JSON.stringify(name)}; the nearest ${are} ${nearest.join(', ')}`;
}

async function write(
  { name }: FileChangelog,
  { versions, isOne }: Choice<FileVersion>,
  format: Format,
  { language, for: store, url }: NotesFlags,
): Promise<string> {
  const rows = versions.map(({ row }) => row);
  const head = headOf(name, language);
  if (format === 'json') {
    const { presentFileVersion } = await import('../../../present/changelog.ts');
    const records = await Promise.all(rows.map((row) => presentFileVersion(row, head, render)));
    return `${formatJson(isOne ? records[0] : { versions: records }, 2)}\n`;
  }
  const form = await FORMS[format]();
  const title = isOne ? [head.productName, versions[0]?.label].filter(Boolean).join(' ') : head.changelogName;
  const { start, between, end } = form.frame(head, title);
  const context = { head, render: store === undefined ? render : renderForStore, isTitled: !isOne };
  const bodies: string[] = [];
  for (const row of rows) bodies.push(await form.writeVersion(row, context));
  const text = start + bodies.join(between) + end;
  if (store === undefined) return text;
  const { cutNotes } = await import('../../../present/notes/cut.ts');
  return await cutNotes(rows, renderForStore, { charactersMax: store.charactersMax, url: url ?? null }, text);
}
