// Imports every changelog of a folder, looks for lost text and for markup in release notes as text, imports it again,
// exports it and imports the export.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { misread } from '../../support/content/plain-text.ts';
import { renderPlain } from '../../support/content/texts.ts';
import { ENGINE } from '../../support/databases/engine.ts';
import { deadline } from '../../support/processes/busy.ts';
import type { CommandResult } from '../../support/program/command.ts';
import { findUnread } from './headings.ts';
import { isConverted, withoutMarkup } from './markup.ts';
import { type ApiVersion, assertUnchangedByReimport, type ImportSandbox } from './sandbox.ts';
import { lostLines, lostWords } from './words.ts';

export type Tried = Readonly<{
  format: string;
  versions: number;
  dated: number;
  drafts: number;
  yanked: number;
  changes: number;
  /** Changes of the type that says nothing. */
  other: number;
  /** Headings that look like versions, but are not among them. */
  unread: readonly string[];
  seconds: number;
  /** The reason of a file that was refused. */
  refusal: string | null;
  /** One line per broken promise. */
  faults: readonly string[];
}>;

const SECONDS_MAX = deadline(2_000) / 1_000;
/** Other programs on the machine take time, too. */
const ATTEMPTS = 3;
const SHOWN = 5;

export async function tryChangelog(sandbox: ImportSandbox, file: string): Promise<Tried> {
  const product = await sandbox.product();
  const { result, seconds, flags } = await importTimed(sandbox, product, file);
  const { versions } = await sandbox.read(product);
  if (result.code !== 0) return refused(result, seconds, versions.length);
  const { format } = JSON.parse(result.stdout);
  const read = { description: await sandbox.description(product), versions };
  const source = sourceText(file);
  const text = withoutMarkup(format, source);
  const count = (test: (version: (typeof versions)[number]) => boolean) => versions.filter(test).length;
  const changes = versions.flatMap((version) => version.changes);
  const faults = [
    ...describe('words lost', lostWords(text, read)),
    // Words of other markup may be written in another order.
    ...describe('lines lost', isConverted(format) ? [] : lostLines(text, read)),
    ...describe('texts misread', versions.flatMap(misreadTexts)),
  ];
  const importAgain = () => sandbox.importFile(product, file, ...flags);
  await assertUnchangedByReimport(sandbox, product, importAgain).catch((error: Error) =>
    faults.push(error.message),
  );
  if (seconds > SECONDS_MAX) faults.push(`takes ${seconds.toFixed(1)} s, more than ${SECONDS_MAX} s`);
  return {
    format,
    versions: versions.length,
    dated: count(({ publishedAt }) => publishedAt !== null),
    drafts: count(({ status }) => status === 'draft'),
    yanked: count(({ yanked }) => yanked),
    changes: changes.length,
    other: changes.filter(({ type }) => type === 'other').length,
    unread: findUnread(
      source,
      versions.map(({ version }) => version),
    ),
    seconds,
    refusal: null,
    faults,
  };
}

/** Release notes as text must have all of it but its markup. */
function misreadTexts({ description, changes }: ApiVersion): string[] {
  return [description ?? '', ...changes.map(({ text }) => text)].flatMap(
    (text) => misread(text, renderPlain(text)) ?? [],
  );
}

type Timed = Readonly<{ result: CommandResult; seconds: number; flags: readonly string[] }>;

/** Some changelogs have duplicate versions; the error message names the option. Slow imports are tried again. */
async function importTimed(sandbox: ImportSandbox, product: string, file: string): Promise<Timed> {
  const importInto = async (into: string, ...flags: string[]): Promise<Timed> => {
    const startedAt = performance.now();
    const before = process.cpuUsage();
    const result = await sandbox.importFile(into, file, ...flags);
    const elapsed = (performance.now() - startedAt) / 1000;
    const { user, system } = process.cpuUsage(before);
    // SQLite works in this process, which may have to wait for the processor.
    return { result, seconds: ENGINE === 'sqlite' ? (user + system) / 1e6 : elapsed, flags };
  };
  let timed = await importInto(product);
  if (timed.result.stderr.includes('--merge-duplicates'))
    timed = await importInto(product, '--merge-duplicates');
  let { seconds } = timed;
  for (let attempt = 1; attempt < ATTEMPTS && seconds > SECONDS_MAX; attempt++)
    seconds = Math.min(seconds, (await importInto(await sandbox.product(), ...timed.flags)).seconds);
  return { ...timed, seconds };
}

function refused({ code, stderr }: CommandResult, seconds: number, written: number): Tried {
  const refusal = stderr.trim();
  const faults = [
    ...(code === 1 ? [] : [`exits with ${code}, not with 1`]),
    ...(/^\S[^\n]*$/.test(refusal) ? [] : ['the reason is not one line']),
    ...(written === 0 ? [] : [`refused, but ${written} versions were written`]),
  ];
  const nothing = { versions: 0, dated: 0, drafts: 0, yanked: 0, changes: 0, other: 0, unread: [] };
  return { ...nothing, format: '', seconds, refusal, faults };
}

function describe(what: string, found: readonly string[]): string[] {
  if (found.length === 0) return [];
  const more = found.length > SHOWN ? ' …' : '';
  return [
    `${found.length} ${what}: ${found.slice(0, SHOWN).join(what.startsWith('words') ? ' ' : ' | ')}${more}`,
  ];
}

/** The human-written text of release records. */
function sourceText(file: string): string {
  const text = readFileSync(file, 'utf8');
  if (!file.endsWith('.json')) return text;
  const releases: Record<string, unknown>[] = [JSON.parse(text)].flat(2);
  return releases
    .filter(({ draft, tag_name: tag }) => !draft || tag)
    .flatMap(({ tag_name: tag, name, body, description }) => [tag, name, body ?? description])
    .join('\n');
}

const CHANGELOG = /\.(?:md|mdx|markdown|rst|adoc|asciidoc|rdoc|org|txt|json|spec|changes)$|^[^.]+$/i;

/** Files as they are; of folders, everything that may be a changelog. */
export function changelogsIn(paths: readonly string[]): string[] {
  return paths.flatMap((each) => {
    if (!statSync(each).isDirectory()) return [path.resolve(each)];
    const files = readdirSync(each, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && CHANGELOG.test(entry.name) && entry.name !== 'README.md')
      .map((entry) => path.resolve(entry.parentPath, entry.name));
    return files.sort();
  });
}
