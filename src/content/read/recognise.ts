// Tells from the first part of a text what it is, to advise people who give a file to the wrong command.
import { COMMAND } from '../../command-name.ts';
import { Refusal } from '../../errors.ts';
import type { ReadableBytes } from '../input/text.ts';
import { findLikelyComment } from './json-slips.ts';

const HEAD_BYTES = 64 * 1024;

const TOP_FIELD = /^\{?\s*["']?(?:team|products|\$schema)["']?\s*:/;
const ANY_FIELD = /^["']?[\w$-]+["']?[ \t]*:(?:\s|$)/;
const RELEASE_FIELD = /"tag_name"\s*:/;
const MARKDOWN_NAME = /\.(?:md|mdx|markdown)$/i;
const VERSION_HEADING =
  /^ {0,3}#{1,6}[ \t]+(?:[a-z]+[ \t]+)?[[(<]?v?\d+\.\d|^ {0,3}#{1,6}[ \t]+\[?unreleased\b|^\[?v?\d+\.\d[^\n]*\n[=-]{3,}\s*$/im;

export function headOf(input: ReadableBytes): string {
  return input
    .read(0, HEAD_BYTES)
    .toString('utf8')
    .replace(/^\uFEFF/, '');
}

/** The same error, unless the text is not a content document at all, or JSON with comments. */
export function explainDocumentError(error: unknown, file: string, head: string): unknown {
  if (!(error instanceof Refusal)) return error;
  const found = findOtherFormat(file, head) ?? findLikelyComment(head);
  return found === null ? error : new Refusal(`${file}:${found.line}: ${found.message}`);
}

function findOtherFormat(file: string, head: string): { line: number; message: string } | null {
  if (isContentDocument(head) || head.trim() === '') return null;
  const importIt = `with \`${COMMAND} import TEAM/PRODUCT FILE\`.`;
  if (isMarkdown(file, head))
    return { line: 1, message: `this looks like a Markdown changelog; import it ${importIt}` };
  if (isReleases(head))
    return { line: 1, message: `these look like releases of GitHub; import them ${importIt}` };
  return null;
}

/** The same error, unless the text is a content document. */
export function explainImportError(error: unknown, file: string, head: string): unknown {
  if (!(error instanceof Refusal) || !isContentDocument(head)) return error;
  return new Refusal(
    `${file}:1: this looks like a content document; apply it with \`${COMMAND} apply FILE\`.`,
  );
}

function isContentDocument(head: string): boolean {
  return TOP_FIELD.test(withoutComments(head));
}

function isReleases(head: string): boolean {
  return /^\s*[[{]/.test(head) && RELEASE_FIELD.test(head);
}

/** A heading of Markdown is a comment in YAML. */
function isMarkdown(file: string, head: string): boolean {
  if (MARKDOWN_NAME.test(file)) return true;
  return VERSION_HEADING.test(head) && !ANY_FIELD.test(withoutComments(head));
}

/** From the first line that has content in YAML. */
function withoutComments(head: string): string {
  const lines = head.split('\n');
  const first = lines.findIndex((line) => !/^\s*(?:#|$)|^(?:---|%)/.test(line));
  return first === -1 ? '' : lines.slice(first).join('\n').trimStart();
}
