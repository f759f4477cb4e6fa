// What a file seems to be that is not what a command reads: the error says so, and what to do with it instead.
import { COMMAND } from '../command-name.ts';

type FileKind = Readonly<{ says: string; advice: string }>;
type Test = RegExp | ((head: string, file: string) => boolean);

/** When a kind is looked for: in the bytes of any file, as Latin-1, or to explain why a text could not be read. */
type Moment = 'any file' | 'apply failed' | 'import failed' | 'no versions';

const HEAD_CHARACTERS = 64 * 1024;
const PASS = 'pass a content document or a changelog';
const PASS_MARKDOWN = 'pass the changelog as Markdown';
const UNPACK = `unpack it, and ${PASS} from it`;
const WRITE = 'write a heading such as `## 1.2.0 - 2026-05-04` for each version';
const IMPORT = `with \`${COMMAND} import TEAM/PRODUCT FILE\``;
const ZIP = 'PK\x03\x04';
const ZIP_HEAD_CHARACTERS = 4 * 1024;

const convert = (from: string) => `convert it to Markdown: pandoc -f ${from} -t gfm FILE -o CHANGELOG.md`;
const starts =
  (...beginnings: string[]): Test =>
  (head) =>
    beginnings.some((beginning) => head.startsWith(beginning));
const zipWith =
  (part: string): Test =>
  (head) =>
    head.startsWith(ZIP) && head.slice(0, ZIP_HEAD_CHARACTERS).includes(part);
const like = (what: string) => `this looks like ${what}`;

/** The first that matches counts. */
const KINDS: readonly (readonly [Moment, Test, says: string, advice: string])[] = [
  ['any file', zipWith('mimetypeapplication/vnd.oasis'), 'this is an OpenDocument file', convert('odt')],
  ['any file', zipWith('word/'), 'this is a Word document', convert('docx')],
  ['any file', zipWith('xl/'), 'this is an Excel workbook', PASS],
  ['any file', starts(ZIP, 'PK\x05\x06'), 'this is a zip archive', UNPACK],
  ['any file', starts('\x1f\x8b'), 'this is a gzip archive', UNPACK],
  ['any file', starts('BZh'), 'this is a bzip2 archive', UNPACK],
  ['any file', starts('\xfd7zXZ\0'), 'this is an xz archive', UNPACK],
  ['any file', starts('\x28\xb5\x2f\xfd'), 'this is a zstd archive', UNPACK],
  ['any file', starts('7z\xbc\xaf\x27\x1c'), 'this is a 7z archive', UNPACK],
  ['any file', starts('Rar!\x1a\x07'), 'this is a RAR archive', UNPACK],
  ['any file', (head) => head.startsWith('ustar', 257), 'this is a tar archive', UNPACK],
  ['any file', starts('%PDF-'), 'this is a PDF', PASS],
  ['any file', starts('{\\rtf'), 'this is an RTF document', convert('rtf')],
  ['any file', starts('\xd0\xcf\x11\xe0'), 'this is an old Office document', PASS],
  ['any file', starts('\x89PNG\r\n'), 'this is a PNG image', PASS],
  ['any file', starts('\xff\xd8\xff'), 'this is a JPEG image', PASS],
  ['any file', starts('GIF87a', 'GIF89a'), 'this is a GIF image', PASS],
  ['any file', /^RIFF[\s\S]{4}WEBP/, 'this is a WebP image', PASS],
  ['any file', starts('SQLite format 3\0'), 'this is a SQLite database', PASS],
  ['any file', starts('\x7fELF'), 'this is a program', PASS],
  ['apply failed', isMarkdown, like('a Markdown changelog'), `import it ${IMPORT}`],
  ['apply failed', isReleases, 'these look like releases of GitHub', `import them ${IMPORT}`],
  ['import failed', isContentDocument, like('a content document'), `apply it with \`${COMMAND} apply FILE\``],
  [
    'no versions',
    /^\s*(?:<!--[\s\S]{0,2000}?-->\s*)?<(?:!doctype html|html|head|body|h[1-6]|div)\b/i,
    like('HTML'),
    convert('html'),
  ],
  [
    'no versions',
    /^\s*(?:<\?xml[\s\S]{0,2000}?)?<(?:rss|feed)\b/i,
    like('a feed'),
    'pass the changelog that it was made from',
  ],
  ['no versions', /^\s*<\?xml\b/i, like('XML'), PASS_MARKDOWN],
  [
    'no versions',
    /^[a-z0-9][\w+.-]* \([^()\s]+\) [\w -]+; ?urgency=/im,
    like('a Debian changelog'),
    'read it with `--format debian`',
  ],
  [
    'no versions',
    /^%(?:auto)?changelog\s/m,
    'its %changelog has no entries',
    'pass the output of `rpm -q --changelog`',
  ],
  [
    'no versions',
    /^\d{4}-\d\d-\d\d {1,2}\S[^\n<]{0,100}<[^\s<>]+@[^\s<>]+>\s*$/m,
    like('a ChangeLog of commits, as GNU projects keep it'),
    'pass their NEWS, which has versions',
  ],
  [
    'no versions',
    /^commit [0-9a-f]{7,40}\b|^[0-9a-f]{7,40} \S[^\n]*\n[0-9a-f]{7,40} \S/m,
    like('output of `git log`'),
    WRITE,
  ],
  ['no versions', /^(?:diff --git |--- \S[^\n]*\n\+\+\+ )/m, like('a patch'), 'pass the changelog itself'],
  ['no versions', /^h[1-6]\. \S/m, like('Textile'), convert('textile')],
  ['no versions', /^\\documentclass\b|^\\begin\{\w+\}/m, like('LaTeX'), convert('latex')],
  ['no versions', /^\.(?:TH|Dd|SH) /m, like('a manual page'), convert('man')],
  ['no versions', /^={2,5} ?[^\s=][^\n=]{0,200}[^\s=] ?={2,5}\s*$/m, like('MediaWiki'), convert('mediawiki')],
  [
    'no versions',
    isJson,
    like('JSON of another kind'),
    'pass releases of GitHub or GitLab, or the changelog as Markdown',
  ],
  ['no versions', isTable, like('a table (CSV)'), WRITE],
  [
    'no versions',
    (head) => /^\[[\w.-]+\]\s*$/m.test(head) && /^[\w-]+ *= *\S/m.test(head),
    like('TOML'),
    PASS_MARKDOWN,
  ],
  ['no versions', isYaml, like('YAML'), PASS_MARKDOWN],
];

/** `text` is all of it or its first part. */
export function recognise(moment: Moment, file: string, text: string): FileKind | null {
  const head = text.slice(0, HEAD_CHARACTERS).replace(/^\uFEFF/, '');
  const found = KINDS.find(
    ([when, test]) => when === moment && (test instanceof RegExp ? test.test(head) : test(head, file)),
  );
  if (found === undefined) return null;
  const [, , says, advice] = found;
  return { says, advice };
}

export function isContentDocument(text: string): boolean {
  return /^\{?\s*["']?(?:team|products|\$schema)["']?\s*:/.test(withoutComments(text));
}

const VERSION_HEADING =
  /^ {0,3}#{1,6}[ \t]+(?:[a-z]+[ \t]+)?[[(<]?v?\d+\.\d|^ {0,3}#{1,6}[ \t]+\[?unreleased\b|^\[?v?\d+\.\d[^\n]*\n[=-]{3,}\s*$/im;
const ANY_FIELD = /^["']?[\w$-]+["']?[ \t]*:(?:\s|$)/;

/** A heading of Markdown is a comment in YAML. */
function isMarkdown(head: string, file: string): boolean {
  if (/\.(?:md|mdx|markdown)$/i.test(file)) return true;
  return VERSION_HEADING.test(head) && !ANY_FIELD.test(withoutComments(head));
}

/** From the first line that has content in YAML. */
function withoutComments(text: string): string {
  const lines = text
    .slice(0, HEAD_CHARACTERS)
    .replace(/^\uFEFF/, '')
    .split('\n');
  const first = lines.findIndex((line) => !/^\s*(?:#|$)|^(?:---|%)/.test(line));
  return first === -1 ? '' : lines.slice(first).join('\n').trimStart();
}

function isReleases(head: string): boolean {
  return /^\s*[[{]/.test(head) && /"tag_name"\s*:/.test(head);
}

function isJson(head: string): boolean {
  if (!/^\s*[[{]/.test(head)) return false;
  try {
    JSON.parse(head);
    return true;
  } catch {
    return /^\s*[[{]\s*(?:"[^"\n]*"\s*[:,]|\{|-?\d+\s*,)/.test(head);
  }
}

const ROWS = 3;

/** The first lines have the same number of separators. */
function isTable(head: string, file: string): boolean {
  if (/\.(?:csv|tsv)$/i.test(file)) return true;
  const rows = head.split(/\r?\n/, ROWS);
  return [',', ';', '\t'].some((separator) => {
    const counts = rows.map((row) => row.split(separator).length);
    return rows.length === ROWS && (counts[0] ?? 0) > 2 && counts.every((count) => count === counts[0]);
  });
}

const YAML_LINE = /^\s*(?:- )*["']?[\w$. /-]+["']?:(?:\s|$)|^\s*- \S|^---|^\s*$/;

function isYaml(head: string, file: string): boolean {
  if (/\.ya?ml$/i.test(file)) return true;
  const lines = head.split('\n').filter((line) => !/^\s*(?:#.*)?$/.test(line));
  const hasFields = /^["']?[\w$-]+["']?:(?:\s|$)/.test(lines.find((line) => !line.startsWith('---')) ?? '');
  return hasFields && lines.filter((line) => YAML_LINE.test(line)).length > lines.length * 0.8;
}
