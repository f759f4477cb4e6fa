// Writes the content document of a team. Applied to another database, it gives the same API responses.
import { DEFAULT_LANGUAGE } from '../domain/content/appearance.ts';
import type { Content, VersionContent } from '../domain/content/content.ts';

export const FORMATS = ['yaml', 'json'] as const;
export type DocumentFormat = (typeof FORMATS)[number];

type Batches = AsyncIterable<readonly VersionContent[]> | Iterable<readonly VersionContent[]>;
type Product = Content['products'][number];
type WrittenChangelog = Omit<NonNullable<Product['changelog']>, 'versions'> & { batches: () => Batches };
type WrittenProduct = Omit<Product, 'changelog'> & Readonly<{ changelog: WrittenChangelog | null }>;
type WrittenContent = Pick<Content, 'team'> & Readonly<{ products: readonly WrittenProduct[] }>;

/** Editors find the schema by this comment if the package is installed next to the document. */
const SCHEMA_COMMENT =
  '# yaml-language-server: $schema=node_modules/changelog-read-api/schema/content.schema.json';

/** Yields whole lines, without the last line break: those of a product at once. */
export async function* writeContent(
  { team, products }: WrittenContent,
  format: DocumentFormat,
): AsyncGenerator<string> {
  const isJson = format === 'json';
  const isEmpty = products.length === 0;
  yield isJson
    ? `{\n  "team": ${formatJson(team, 2)},\n  "products": [${isEmpty ? ']\n}' : ''}`
    : `${SCHEMA_COMMENT}\nteam:${formatYaml(team, 2)}\nproducts:${isEmpty ? ' []' : ''}`;
  for (const [index, product] of products.entries()) {
    const fields = await fieldsOf(product);
    const comma = index === products.length - 1 ? '' : ',';
    yield isJson ? `    ${formatJson(fields, 4)}${comma}` : formatYaml([fields], 2).slice(1);
  }
  if (isJson && !isEmpty) yield '  ]\n}';
}

/** In the order of the documentation. What is null is not written. */
async function fieldsOf({ links, image, logo, accent, changelog, ...product }: WrittenProduct) {
  const { slug, name, status, domain } = product;
  const hasLinks = Object.values(links).some((link) => link !== null);
  const fields = { slug, name, status, domain, links: hasLinks ? links : null, image, logo, accent };
  if (changelog === null) return fields;
  const { id, description, batches } = changelog;
  const language = changelog.language === DEFAULT_LANGUAGE ? null : changelog.language;
  const head = { id, name: changelog.name, description, language, status: changelog.status };
  const versions = (await Array.fromAsync(batches())).flat();
  return { ...fields, changelog: { ...head, versions } };
}

function formatJson(value: unknown, indent: number): string {
  return escapeInvisible(JSON.stringify(value, (_, field) => field ?? undefined, 2)).replaceAll(
    '\n',
    `\n${' '.repeat(indent)}`,
  );
}

/** What comes after the name of a field. The items of lists are mappings. */
function formatYaml(value: unknown, indent: number): string {
  if (typeof value === 'string') return ` ${formatText(value, indent)}`;
  if (typeof value !== 'object' || value === null) return ` ${value}`;
  const start = `\n${' '.repeat(indent)}`;
  if (!Array.isArray(value))
    return Object.entries(value)
      .filter(([, field]) => field != null)
      .map(([name, field]) => `${start}${name}:${formatYaml(field, indent + 2)}`)
      .join('');
  if (value.length === 0) return ' []';
  return value.map((item) => `${start}- ${formatYaml(item, indent + 2).slice(start.length + 2)}`).join('');
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

/** Control and invisible characters that JSON does not escape. */
const INVISIBLE = /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]|\p{Bidi_Control}/gu;

/** JSON, which is also YAML. */
export function escapeInvisible(json: string): string {
  return json.replaceAll(
    INVISIBLE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
