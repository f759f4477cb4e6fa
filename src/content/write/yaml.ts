import type { VersionContent } from '../../domain/content/content.ts';
import { type DocumentStyle, escapeInvisible, withoutNulls } from './style.ts';

/** Editors find the schema by this comment if the package is installed next to the document. */
const SCHEMA_COMMENT =
  '# yaml-language-server: $schema=node_modules/changelog-read-api/schema/content.schema.json';

export const YAML_STYLE: DocumentStyle = {
  begin: (team, hasProducts) =>
    `${SCHEMA_COMMENT}\nteam:\n${formatFields(team, 2)}\nproducts:${hasProducts ? '' : ' []'}`,
  product: (product, changelog) => {
    const head = asItem(formatFields(product, 4), 4);
    if (changelog === null) return head;
    const { versions, ...fields } = changelog;
    const list = `      versions:${versions.length === 0 ? ' []' : ''}`;
    return [head, '    changelog:', formatFields(fields, 6), list, ...versions.map(formatVersion)].join('\n');
  },
  end: () => null,
};

function formatVersion({ changes, ...fields }: VersionContent): string {
  const head = asItem(formatFields(fields, 10), 10);
  if (changes.length === 0) return `${head}\n          changes: []`;
  const items = changes.map((change) => asItem(formatFields(change, 14), 14));
  return `${head}\n          changes:\n${items.join('\n')}`;
}

function formatFields(record: object, indent: number): string {
  return Object.entries(withoutNulls(record))
    .map(([key, value]) => `${' '.repeat(indent)}${key}:${formatValue(value, indent + 2)}`)
    .join('\n');
}

function formatValue(value: unknown, indent: number): string {
  if (typeof value === 'object' && value !== null) return `\n${formatFields(value, indent)}`;
  return ` ${typeof value === 'string' ? formatText(value, indent) : value}`;
}

/** Replaces the last two spaces of the indentation with `- `. */
function asItem(lines: string, indent: number): string {
  return `${' '.repeat(indent - 2)}- ${lines.slice(indent)}`;
}

/** Writes text plain if no YAML parser can misread it, as a block if it has several lines, and otherwise quoted. */
function formatText(text: string, indent: number): string {
  if (PLAIN.test(text) && !RESERVED.test(text)) return text;
  if (text.includes('\n') && !text.endsWith('\n\n') && LINES.test(text)) {
    const isEnded = text.endsWith('\n');
    const lines = (isEnded ? text.slice(0, -1) : text).split('\n');
    return `${isEnded ? '|' : '|-'}\n${lines.map((line) => (line === '' ? '' : ' '.repeat(indent) + line)).join('\n')}`;
  }
  return escapeInvisible(JSON.stringify(text));
}

/** Characters without pitfalls: ASCII, most letters, common punctuation and emoji. */
const CHARACTER = String.raw`[\x20-\x7e\u00c0-\u052f\u2010-\u2027\u3041-\u9fff\uac00-\ud7a3\u{1f300}-\u{1faff}]`;
/** Starts with a letter, a version or a timestamp; contains nothing that ends a plain scalar or begins a comment. */
const PLAIN = new RegExp(
  String.raw`^(?:[A-Za-z]|\d+\.\d+\.\d|\d{4}-\d\d-\d\dT)(?:(?!: |:$| #| $)${CHARACTER})*$`,
  'u',
);
const RESERVED = /^(?:true|false|null|yes|no|on|off|y|n)$/i;
/** No line may end with a space, and the first must not begin with one. */
const LINES = new RegExp(String.raw`^(?![ \n])(?:(?! \n| $)${CHARACTER}|\n)*$`, 'u');
