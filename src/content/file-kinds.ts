// What a file seems to be that is not what a command reads: the error says so, and what to do with it instead.
import { COMMAND } from '../command-name.ts';
import { Refusal } from '../errors.ts';

type Test = RegExp | ((head: string, file: string) => boolean);

/** When a kind is looked for: in the bytes of any file, as Latin-1, or to explain why a text could not be read. */
type Moment = 'any file' | 'apply failed' | 'import failed' | 'no versions';

const HEAD_CHARACTERS = 64 * 1024;
const PASS = 'pass a content document or a changelog';
const MARKDOWN = 'pass the changelog as Markdown';
const RELEASES = 'pass releases of GitHub or GitLab, or the changelog as Markdown';
const APPLY = `apply it with \`${COMMAND} apply FILE\``;
const WRITE = 'write a heading such as `## 1.2.0 - 2026-05-04` for each version';
const IMPORT = `with \`${COMMAND} import TEAM/PRODUCT FILE\``;
const convert = (from: string) => `convert it to Markdown: pandoc -f ${from} -t gfm FILE -o CHANGELOG.md`;

const ARCHIVE =
  /^(?:PK\p{Cc}{2}|\p{Cc}\x8b|BZh\d|\xfd7zXZ|\(\xb5\/\xfd|7z\xbc\xaf|Rar!\p{Cc})|^[\s\S]{257}ustar/u;
const PICTURE = /^(?:\x89PNG\r\n|\xff\xd8\xff|GIF8[79]a|RIFF[\s\S]{4}WEBP)/;
const HTML = /^\s*(?:<!--[\s\S]{0,2000}?-->\s*)?<(?:!doctype html|html|head|body|h[1-6]|div)\b/i;
const GIT_LOG = /^commit [0-9a-f]{7,40}\b|^[0-9a-f]{7,40} \S[^\n]*\n[0-9a-f]{7,40} \S/m;
const COMMITS = /^\d{4}-\d\d-\d\d {1,2}\S[^\n<]{0,100}<[^\s<>]+@[^\s<>]+>\s*$/m;
const DEBIAN = /^[a-z0-9][\w+.-]* \([^()\s]+\) [\w -]+; ?urgency=/im;

const JSON_START = /^\s*[[{]\s*(?:"[^"\n]*"\s*[:,\]}]|\{|-?\d+\s*,)/;

/** The first that matches counts. */
const KINDS: readonly (readonly [Moment, Test, says: string, advice: string])[] = [
  ['any file', /^PK\p{Cc}{2}[\s\S]{0,4000}?word\//u, 'this is a Word document', convert('docx')],
  ['any file', ARCHIVE, 'this is an archive', `unpack it, and ${PASS} from it`],
  ['any file', /^%PDF-/, 'this is a PDF', PASS],
  ['any file', PICTURE, 'this is a picture', PASS],
  ['apply failed', isMarkdown, 'this looks like a Markdown changelog', `import it ${IMPORT}`],
  [
    'apply failed',
    /^\s*[[{][\s\S]*"tag_name"\s*:/,
    'these look like releases of GitHub',
    `import them ${IMPORT}`,
  ],
  ['import failed', isContentDocument, 'this looks like a content document', APPLY],
  ['no versions', HTML, 'this looks like HTML', convert('html')],
  ['no versions', /^\s*<(?:\?xml|rss|feed)\b/i, 'this looks like XML', MARKDOWN],
  ['no versions', DEBIAN, 'this looks like a Debian changelog', 'use `--read-as` or `--format debian`'],
  ['no versions', COMMITS, 'this looks like a ChangeLog of commits', 'pass the NEWS, which has versions'],
  ['no versions', GIT_LOG, 'this looks like output of `git log`', WRITE],
  ['no versions', JSON_START, 'this looks like JSON of another kind', RELEASES],
  ['no versions', (_, file) => /\.ya?ml$/i.test(file), 'this looks like YAML', MARKDOWN],
];

/** The error that says so, for all of a text or its first part. */
export function recognise(moment: Moment, file: string, text: string): Refusal | null {
  const head = text.slice(0, HEAD_CHARACTERS).replace(/^\uFEFF/, '');
  const found = KINDS.find(
    ([when, test]) => when === moment && (test instanceof RegExp ? test.test(head) : test(head, file)),
  );
  return found === undefined ? null : new Refusal(`${found[2]}; ${found[3]}.`, { at: [file, 1] });
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
  return text.slice(0, HEAD_CHARACTERS).replace(/^(?:\s|(?:#|---|%).*\n)*/, '');
}
