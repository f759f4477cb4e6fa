// Imports every changelog of a folder, looks for lost words, imports it again, exports it and imports the export.
import { readdirSync } from 'node:fs';
import { assertUnchangedByReimport, type ImportSandbox } from './sandbox.ts';
import { lostWords } from './words.ts';

type Tried = Readonly<{
  file: string;
  format: string;
  versions: number;
  drafts: number;
  yanked: number;
  changes: number;
  /** One line per problem. */
  faults: readonly string[];
}>;

const LOST_SHOWN = 10;

export async function tryChangelog(sandbox: ImportSandbox, file: string, text: string): Promise<Tried> {
  const product = await sandbox.product();
  const first = await sandbox.import(product, text);
  // Some real changelogs have duplicate versions; the error message names this option.
  const flags = first.stderr.includes('--merge-duplicates') ? ['--merge-duplicates'] : [];
  const importIt = () => sandbox.import(product, text, ...flags);
  const { code, stdout, stderr } = flags.length === 0 ? first : await importIt();
  const nothing = { file, format: '', versions: 0, drafts: 0, yanked: 0, changes: 0 };
  if (code !== 0) return { ...nothing, faults: [stderr.trim()] };
  const { versions } = await sandbox.read(product);
  const lost = lostWords(sourceText(file, text), versions);
  const faults =
    lost.length === 0
      ? []
      : [
          `lost: ${lost.slice(0, LOST_SHOWN).join(' ')}${lost.length > LOST_SHOWN ? ' …' : ''} (${lost.length})`,
        ];
  await assertUnchangedByReimport(sandbox, product, importIt).catch((error: Error) =>
    faults.push(error.message),
  );
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

/** The human-written text of release records. */
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
