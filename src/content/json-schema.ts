import { ContentDocument } from '../domain/content/content.ts';

/** The JSON Schema of the content document. The package ships it for editors. */
export function contentJsonSchema(): string {
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Changelog content document',
    ...ContentDocument,
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}
