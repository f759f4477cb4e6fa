// Parameters, records and errors on the reference page: each field with its type, and links between records.
import { type Html, html, joined } from '../../present/template.ts';
import {
  isRef,
  type JsonSchema,
  type OpenApiDocument,
  type Parameter,
  type Ref,
  type Response,
  refName,
} from '../openapi/types.ts';
import { anchorOf, formatJson, inlineText, writeCode } from './texts.ts';

const FORMATS: Readonly<Record<string, string>> = { date: 'date', 'date-time': 'timestamp' };

export function writeParameters({ components }: OpenApiDocument, names: Iterable<string>): Html {
  const rows = [...names].flatMap((key) => {
    const parameter = components.parameters[key];
    if (parameter === undefined) return [];
    const { name, schema, explode, description } = parameter;
    const example = exampleOf(parameter);
    const such = example !== undefined && html` Example: <code>${example}</code>.`;
    return [
      html`<dt id="${anchorOf('parameter', key)}">${name}: ${writeType(itemsOf(schema) ?? schema)}${explode === true && ', repeatable'}</dt>
<dd>${inlineText(description)}${such}</dd>`,
    ];
  });
  return html`${rows.length > 0 && html`<dl>\n${rows}\n</dl>`}`;
}

/** As in URLs. */
export function exampleOf({ example, examples = {} }: Parameter): string | undefined {
  const [first] = [example ?? Object.values(examples)[0]?.value].flat();
  return first === undefined ? undefined : String(first);
}

type Schemas = OpenApiDocument['components']['schemas'];

export function writeRecord(schemas: Schemas, name: string): Html {
  const schema = schemas[name] as JsonSchema;
  const base = baseOf(schemas, name);
  const known = Object.keys(schemas[base ?? '']?.properties ?? {});
  const rows = fieldsOf(schema)
    .filter(([field]) => !known.includes(field))
    .map(([field, inner]) => {
      const { description } = isRef(inner) ? (schemas[refName(inner)] as JsonSchema) : inner;
      return html`<dt>${field}: ${writeType(inner)}</dt>\n<dd>${inlineText(description ?? '')}</dd>`;
    });
  return html`<details class="text" id="${anchorOf('record', name)}">
<summary>${name}</summary>
<p>${inlineText(schema.description ?? '')}${schema.type === 'array' && html` A ${writeType(schema)}.`}${
    base !== undefined && html` It has the fields of ${linkTo(base)}, and these:`
  }</p>
${rows.length > 0 && html`<dl>\n${rows}\n</dl>`}
</details>`;
}

/** The record whose fields this one has, and some more. */
function baseOf(schemas: Schemas, name: string): string | undefined {
  const own = schemas[name]?.properties ?? {};
  return Object.keys(schemas).find((other) => {
    const fields = Object.entries(schemas[other]?.properties ?? {});
    const isPart = fields.every(([field, schema]) => JSON.stringify(own[field]) === JSON.stringify(schema));
    return isPart && fields.length > 1 && fields.length < Object.keys(own).length;
  });
}

/** Unnamed records are shown inline. */
function fieldsOf(schema: JsonSchema, prefix = ''): [name: string, schema: JsonSchema | Ref][] {
  return Object.entries(schema.properties ?? {}).flatMap(([field, inner]) => {
    const name = prefix + field;
    return !isRef(inner) && inner.type === 'object' ? fieldsOf(inner, `${name}.`) : [[name, inner]];
  });
}

const linkTo = (record: string) => html`<a href="#${anchorOf('record', record)}">${record}</a>`;

/** A link to a named record, otherwise the JSON type with its constraints. */
export function writeType(schema: JsonSchema | Ref): Html {
  if (isRef(schema)) return linkTo(refName(schema));
  if (schema.anyOf) return joined(schema.anyOf.map(writeType), ' or ');
  const items = itemsOf(schema);
  if (items !== undefined) return html`list of ${writeType(items)}`;
  if ('const' in schema) return html`${String(schema.const)}`;
  if (schema.enum) return html`${schema.enum.join(' | ')}`;
  const { type, format = '', minimum, maximum } = schema;
  const range = minimum !== undefined && maximum !== undefined && ` from ${minimum} to ${maximum}`;
  const types = [type].flat().map((each) => (each === 'string' ? FORMATS[format] : undefined) ?? each);
  return html`${types.join(' or ')}${range}`;
}

function itemsOf(schema: JsonSchema): JsonSchema | Ref | undefined {
  return 'items' in schema ? schema.items : undefined;
}

export function writeErrors({ paths, components }: OpenApiDocument): Html {
  const responses = Object.values(paths).flatMap(({ get }) => Object.entries(get.responses));
  let form: unknown;
  const errors = Object.entries(components.responses).map(([name, { content, description, headers }]) => {
    const isIt = (response: Response | Ref) => isRef(response) && refName(response) === name;
    const status = responses.find(([, response]) => isIt(response))?.[0] ?? '';
    const [example] = Object.values(content?.['application/json']?.examples ?? {});
    form ??= example?.value;
    return html`<dt id="${anchorOf('error', name)}">${status} ${example?.value.error.code}</dt>
<dd>${inlineText(description)} Headers: ${Object.keys(headers).join(', ')}.</dd>`;
  });
  return html`<p>All have a body of this form:</p>
${writeCode(formatJson(form))}
<dl>
${errors}
</dl>`;
}
