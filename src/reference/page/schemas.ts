// The records on the reference page: each field with its type, and links between records.

import { type Html, html, joined } from '../../present/html/template.ts';
import { isRef, type JsonSchema, type Ref, refName } from '../openapi/types.ts';
import { anchorOf, example, inlineMarkdown, table } from './html.ts';

const FORMATS: Readonly<Record<string, string>> = { date: 'date', 'date-time': 'timestamp' };

type Field = Readonly<{ name: string; schema: JsonSchema | Ref }>;

export function schemaAnchor(name: string): string {
  return anchorOf('record', name);
}

export function writeSchema(name: string, schema: JsonSchema): Html {
  const rows = fieldsOf(schema).map(({ name: field, schema: inner }) => [
    html`<code>${field}</code>`,
    writeType(inner),
    html`${inlineMarkdown(String(inner.description ?? ''))}${example(isRef(inner) ? undefined : JSON.stringify(inner.examples?.[0]))}`,
  ]);
  return html`
<section class="record" id="${schemaAnchor(name)}">
<h3>${name}</h3>
<p>${inlineMarkdown(String(schema.description ?? ''))}</p>
${table(`Fields of ${name}`, ['Field', 'Type', 'Meaning'], rows)}
</section>`;
}

/** Unnamed records are shown inline. */
function fieldsOf(schema: JsonSchema, prefix = ''): Field[] {
  return Object.entries(schema.properties ?? {}).flatMap(([field, inner]) => {
    const name = prefix + field;
    return !isRef(inner) && inner.type === 'object' ? fieldsOf(inner, `${name}.`) : [{ name, schema: inner }];
  });
}

/** A link to a named record, otherwise the JSON type with its constraints. */
export function writeType(schema: JsonSchema | Ref): Html {
  if (isRef(schema)) {
    const name = refName(schema);
    return html`<a href="#${schemaAnchor(name)}">${name}</a>`;
  }
  if (schema.anyOf) return alternatives(schema.anyOf.map(writeType));
  const items = itemsOf(schema);
  if (items !== undefined) return html`list of ${writeType(items)}`;
  if ('const' in schema) return html`<code>${String(schema.const)}</code>`;
  if (schema.enum) return alternatives(schema.enum.map((value) => html`<code>${value}</code>`));
  const { minimum, maximum } = schema;
  const range = minimum !== undefined && maximum !== undefined && ` from ${minimum} to ${maximum}`;
  const { type, format } = schema;
  return html`${[type]
    .flat()
    .map((each) => (each === 'string' ? FORMATS[format ?? ''] : undefined) ?? each)
    .join(' or ')}${range}`;
}

export function itemsOf(schema: JsonSchema): JsonSchema | Ref | undefined {
  return 'items' in schema ? schema.items : undefined;
}

function alternatives(parts: readonly Html[]): Html {
  const [last, ...others] = [...parts].reverse();
  if (last === undefined || others.length === 0) return joined(parts);
  return html`${joined(others.reverse(), ', ')} or ${last}`;
}
