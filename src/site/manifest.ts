// The list of a site's files, which a build leaves in the folder for the next one.
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { CHANGE_TYPES, SLUG_PATTERN } from '../domain/model.ts';
import { Refusal } from '../errors.ts';

/** Everything in the folder whose name starts with this belongs to the program, and is never a file of a site. */
export const RESERVED = '.changelog-site';
export const MANIFEST = `${RESERVED}.json`;

const FORMAT = 1;
const ABOUT = 'changelog build wrote these files, and replaces and removes no others.';
const BYTES_MAX = 64 * 1024 * 1024;
const WHAT_TO_DO = 'delete the files of the earlier build, or choose another folder with --out';

export type Manifest = Readonly<{
  files: ReadonlySet<string>;
  /** Null if there is none. */
  text: string | null;
  /** Differs once another build has changed anything: each one replaces the manifest. */
  identity: string;
}>;

const NO_MANIFEST: Manifest = { files: new Set(), text: null, identity: 'none' };

/** Nobody guards the manifest, so that what it says is checked like any input. */
export function readManifest(root: string, name: string): Manifest {
  const found = readText(`${root}/${MANIFEST}`);
  if (found === 'none') return NO_MANIFEST;
  const refuse = (what: string) => new Refusal(`${path.join(name, MANIFEST)} ${what} (nothing was changed)`);
  if (found === 'not a file') throw refuse(`is not a file; ${WHAT_TO_DO}`);
  const { format, files } = parse(found.text);
  if (typeof format === 'number' && format > FORMAT)
    throw refuse('is from a later version of this program; use that, or choose another folder with --out');
  if (format !== FORMAT || !Array.isArray(files))
    throw refuse(`is damaged, so the files of the earlier build are not known; ${WHAT_TO_DO}`);
  const unknown = files.find((file) => typeof file !== 'string' || !isSiteFile(file));
  if (unknown !== undefined)
    throw refuse(
      `lists ${JSON.stringify(unknown)}, which \`build\` never creates; restore it, or build into an empty folder`,
    );
  return { ...found, files: new Set(files) };
}

export function formatManifest(files: readonly string[]): string {
  return `${JSON.stringify({ about: ABOUT, format: FORMAT, files: files.toSorted() }, null, 1)}\n`;
}

const NAME = '[A-Za-z0-9_+][A-Za-z0-9._+-]{0,99}';
const SLUG = SLUG_PATTERN.slice(1, -1);
const AT_ROOT = ['\\.nojekyll', '404\\.html', 'robots\\.txt', 'llms\\.txt', 'sitemap\\.xml', 'widget\\.js'];
const OF_PRODUCT = [
  'index\\.(?:html|md)',
  'page-\\d+\\.html',
  `(?:type-(?:${CHANGE_TYPES.join('|')})|year-\\d{1,4})(?:-\\d+)?\\.html`,
  '(?:changelog|recent|badge)\\.json',
  'feed\\.(?:atom|rss|json)',
  'CHANGELOG\\.md',
  'releases\\.xml',
  'latest\\.txt',
  'badge\\.svg',
  `versions/${NAME}(?:\\.(?:html|json|md)|/notes\\.(?:md|txt|html))`,
  `changes/(?:after-${NAME}|${NAME}\\.{3}${NAME})\\.html`,
];
const SITE_FILE = new RegExp(`^(?:${AT_ROOT.join('|')}|(?:${SLUG}/){0,2}(?:${OF_PRODUCT.join('|')}))$`);

/**
 * Whether a build may write it, or an earlier release's build did. A manifest that comes with a stranger's repository
 * must not make a build replace or remove anything else.
 */
export function isSiteFile(file: string): boolean {
  return SITE_FILE.test(file);
}

function readText(
  file: string,
): 'none' | 'not a file' | (Pick<Manifest, 'text' | 'identity'> & { text: string }) {
  let handle: number;
  try {
    handle = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return 'none';
    if (code === 'ELOOP') return 'not a file';
    throw error;
  }
  try {
    const stat = fstatSync(handle, { bigint: true });
    if (!stat.isFile() || stat.size > BYTES_MAX) return 'not a file';
    return { text: readFileSync(handle, 'utf8'), identity: `${stat.ino}:${stat.mtimeNs}` };
  } finally {
    closeSync(handle);
  }
}

function parse(text: string): { format?: unknown; files?: unknown } {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}
