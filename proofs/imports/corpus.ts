// `npm run corpus -- FOLDER`: imports every changelog of a folder, looks for words that were lost on the way, imports
// again, exports, imports what was exported, and prints what it found.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { openScope } from '../../cluster/scope.ts';
import { Place, staysTheSame } from './place.ts';
import { lostWords } from './words.ts';

export type Tried = Readonly<{
  file: string;
  format: string;
  versions: number;
  drafts: number;
  yanked: number;
  changes: number;
  /** Each in one line; none if all is as it should be. */
  faults: readonly string[];
}>;

const LOST_SHOWN = 10;

export async function tryChangelog(place: Place, file: string, text: string): Promise<Tried> {
  const product = await place.product();
  const first = await place.import(product, text);
  // Real changelogs have one version twice now and then; people are told how to go on.
  const flags = first.stderr.includes('--merge-duplicates') ? ['--merge-duplicates'] : [];
  const importIt = () => place.import(product, text, ...flags);
  const { code, stdout, stderr } = flags.length === 0 ? first : await importIt();
  const nothing = { file, format: '', versions: 0, drafts: 0, yanked: 0, changes: 0 };
  if (code !== 0) return { ...nothing, faults: [stderr.trim()] };
  const { versions } = await place.ask(product);
  const lost = lostWords(sourceText(file, text), versions);
  const faults =
    lost.length === 0
      ? []
      : [
          `lost: ${lost.slice(0, LOST_SHOWN).join(' ')}${lost.length > LOST_SHOWN ? ' …' : ''} (${lost.length})`,
        ];
  await staysTheSame(place, product, importIt).catch((error: Error) => faults.push(error.message));
  return {
    file,
    format: JSON.parse(stdout).format,
    versions: versions.length,
    drafts: versions.filter(({ status }) => status === 'draft').length,
    yanked: versions.filter(({ yanked }) => yanked).length,
    changes: versions.reduce((sum, { changes }) => sum + changes.length, 0),
    faults,
  };
}

/** Of records, what a person wrote. */
function sourceText(file: string, text: string): string {
  if (!file.endsWith('.json')) return text;
  const releases: { tag_name: string; name: string | null; body: string | null }[] = [JSON.parse(text)].flat(
    2,
  );
  return releases.flatMap(({ tag_name, name, body }) => [tag_name, name, body]).join('\n');
}

export function changelogsIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => /\.(?:md|json)$/.test(name) && name !== 'README.md')
    .sort();
}

async function main(folder: string): Promise<void> {
  const scope = openScope();
  try {
    const place = await Place.open(scope);
    console.log('versions  drafts  yanked  changes  format            file');
    for (const file of changelogsIn(folder)) {
      const tried = await tryChangelog(place, file, readFileSync(path.join(folder, file), 'utf8'));
      const { versions, drafts, yanked, changes, format, faults } = tried;
      const columns = [versions, drafts, yanked, changes].map((count) => String(count).padStart(6));
      console.log(`${columns.join('  ')}   ${format.padEnd(16)}  ${file}`);
      for (const fault of faults) console.log(`        ${fault.replaceAll('\n', '\n        ')}`);
      if (faults.length > 0) process.exitCode = 1;
    }
  } finally {
    await scope.close();
  }
}

if (import.meta.main) {
  const folder = process.argv[2];
  if (folder === undefined) {
    process.stderr.write('usage: npm run corpus -- FOLDER\n');
    process.exit(2);
  }
  await main(folder);
  // The tools of the tests would print a summary of none.
  process.exit();
}
