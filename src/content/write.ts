// A content document → text. What is written can be applied elsewhere and gives the same answers.
import { Document, visit } from 'yaml';
import type { Content } from '../domain/content.ts';
import type { Format } from './formats.ts';

/** The comment by which editors find the schema, where the package is installed next to the document. */
export const SCHEMA_COMMENT =
  '# yaml-language-server: $schema=node_modules/changelog-read-api/schema/content.schema.json\n';

export function writeContent(content: Content, format: Format): string {
  const said = withoutNulls(content);
  if (format === 'json') return `${JSON.stringify(said, null, 2)}\n`;
  return SCHEMA_COMMENT + quoteBlanks(new Document(said, { version: '1.2' })).toString({ lineWidth: 0 });
}

/** The library writes text of nothing but blanks as a block, which loses the blanks of its first line. */
function quoteBlanks(document: Document): Document {
  visit(document, {
    Scalar: (_key, node) => {
      if (typeof node.value === 'string' && /^\s+$/.test(node.value)) node.type = 'QUOTE_DOUBLE';
    },
  });
  return document;
}

/** What is null is what a document leaves out. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => (inner === null ? [] : [[key, withoutNulls(inner)]])),
  );
}
