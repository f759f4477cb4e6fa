import type { VersionContent } from '../../domain/content/content.ts';
import { type DocumentStyle, escapeInvisible, withoutNulls } from './style.ts';

/** The comment by which editors find the schema, where the package is installed next to the document. */
const SCHEMA_COMMENT =
  '# yaml-language-server: $schema=node_modules/changelog-read-api/schema/content.schema.json';

export const YAML_STYLE: DocumentStyle = {
  begin: (team, hasProducts) =>
    `${SCHEMA_COMMENT}\nteam:\n${formatFields(team, 2)}\nproducts:${hasProducts ? '' : ' []'}`,
  product: (product) => asItem(formatFields(product, 4), 4),
  beginProduct: (product, changelog, hasVersions) =>
    [
      asItem(formatFields(product, 4), 4),
      '    changelog:',
      formatFields(changelog, 6),
      `      versions:${hasVersions ? '' : ' []'}`,
    ].join('\n'),
  versions: (versions) => versions.map(formatVersion).join('\n'),
  endProduct: () => null,
  end: () => null,
};

function formatVersion({ changes, ...fields }: VersionContent): string {
  const head = asItem(formatFields(fields, 10), 10);
  if (changes.length === 0) return `${head}\n          changes: []`;
  const items = changes.map((change) => asItem(formatFields(change, 14), 14));
  return `${head}\n          changes:\n${items.join('\n')}`;
}

function formatFields(record: object, indent: number): string {
  const blanks = ' '.repeat(indent);
  return Object.entries(withoutNulls(record))
    .map(
      ([key, value]) =>
        `${blanks}${key}: ${typeof value === 'string' ? formatText(value, indent + 2) : value}`,
    )
    .join('\n');
}

/** Puts a dash before the first of the lines, in place of two blanks. */
function asItem(lines: string, indent: number): string {
  return `${' '.repeat(indent - 2)}- ${lines.slice(indent)}`;
}

/** Plain where nobody could take it for something else, in lines where it has some, and in quotes otherwise. */
function formatText(text: string, indent: number): string {
  if (PLAIN.test(text) && !RESERVED.test(text)) return text;
  if (text.includes('\n') && !text.endsWith('\n\n') && LINES.test(text)) {
    const isEnded = text.endsWith('\n');
    const lines = (isEnded ? text.slice(0, -1) : text).split('\n');
    return `${isEnded ? '|' : '|-'}\n${lines.map((line) => (line === '' ? '' : ' '.repeat(indent) + line)).join('\n')}`;
  }
  return escapeInvisible(JSON.stringify(text));
}

/** Signs that mean the same to everybody: ASCII, most letters, and the punctuation and pictures that people use. */
const SIGN = String.raw`[\x20-\x7e\u00c0-\u052f\u2010-\u2027\u3041-\u9fff\uac00-\ud7a3\u{1f300}-\u{1faff}]`;
/** A letter, or a version of three numbers or a moment, and then nothing that ends a plain text, or begins a comment. */
const PLAIN = new RegExp(
  String.raw`^(?:[A-Za-z]|\d+\.\d+\.\d|\d{4}-\d\d-\d\dT)(?:(?!: |:$| #| $)${SIGN})*$`,
  'u',
);
const RESERVED = /^(?:true|false|null|yes|no|on|off|y|n)$/i;
/** Lines of such signs, none with blanks at its end, the first without any before it. */
const LINES = new RegExp(String.raw`^(?![ \n])(?:(?! \n| $)${SIGN}|\n)*$`, 'u');
