// An operation on the reference page: path, parameters, a curl command, the response.

import { type Html, html, joined } from '../../present/html/template.ts';
import { needsKey, needsPassword } from '../openapi/security.ts';
import type {
  JsonSchema,
  MediaType,
  OpenApiDocument,
  Operation,
  Parameter,
  Ref,
  Response,
} from '../openapi/types.ts';
import { isRef, refName } from '../openapi/types.ts';
import { anchorOf, code, codeNames, example, formatJson, inlineMarkdown, table } from './html.ts';
import { itemsOf, writeType } from './schemas.ts';

export type OperationWithPath = Operation & Readonly<{ path: string }>;

export function operationAnchor({ operationId }: Operation): string {
  return anchorOf('operation', operationId);
}

export function titleOf({ summary }: Operation): string {
  return summary.replace(/\.$/, '');
}

export function errorAnchor(name: string): string {
  return anchorOf('error', name);
}

export function writeOperation(document: OpenApiDocument, operation: OperationWithPath): Html {
  const { path } = operation;
  const parameters = operation.parameters.map(
    (ref) => document.components.parameters[refName(ref)] as Parameter,
  );
  const twin = publicTwin(document, operation);
  const request = writeCurl(operation, `${document.servers[0]?.url}${fillPath(document, path)}`);
  return html`
<article class="operation" id="${operationAnchor(operation)}" data-path="${path}"${needsKey(operation) && html` data-key`}${twin !== null && html` data-like="${operationAnchor(twin)}"`}>
<h3>${titleOf(operation)}</h3>
<p class="address"><span class="method">GET</span> <code>${markParameters(path)}</code></p>
${twin === null ? writeWhole(operation, { parameters, request }) : writeDifference(operation, { twin, request })}
</article>`;
}

/** Includes the credentials that the operation needs, on separate lines if there are several. */
export function writeCurl(operation: Operation, url: string): string {
  const gated = needsPassword(operation);
  const key = gated ? '-H "X-API-Key: $KEY"' : '-H "Authorization: Bearer $KEY"';
  const options = [...(gated ? ['-u USER:PASSWORD'] : []), ...(needsKey(operation) ? [key] : [])].join(' ');
  return needsKey(operation)
    ? `curl ${options} \\\n  ${url}`
    : ['curl', options, url].filter(Boolean).join(' ');
}

function writeWhole(
  operation: OperationWithPath,
  { parameters, request }: { parameters: readonly Parameter[]; request: string },
): Html {
  const { description, summary, responses } = operation;
  const success = responses[200] as Response;
  return html`<p>${inlineMarkdown(description)}</p>
<p class="note">${describeCredentials(operation)}</p>
${parameters.length > 0 && html`<h4>Parameters</h4>\n${writeParameters(summary, parameters)}`}
<h4>Request</h4>
${code('curl', request)}
<h4>Response</h4>
${Object.entries(success.content ?? {}).map(([type, media]) => writeBody(type, media))}
<p class="note">Headers: ${codeNames(Object.keys(success.headers))}.</p>
<p class="note">Other statuses: ${joined(Object.entries(responses).flatMap(writeOtherStatus), ', ')}.</p>`;
}

function describeCredentials(operation: Operation): string {
  const needed = [
    ...(needsPassword(operation) ? ['the password of the gate'] : []),
    ...(needsKey(operation) ? ['an API key'] : []),
  ];
  return `Requires ${needed.join(' and ') || 'no credentials'}.`;
}

/** The public operation with the same parameters and response. */
function publicTwin({ paths }: OpenApiDocument, operation: OperationWithPath): OperationWithPath | null {
  const shapeOf = ({ parameters, responses }: Operation) =>
    JSON.stringify([parameters, (responses[200] as Response).content]);
  const twin = Object.entries(paths).find(
    ([path, { get }]) =>
      path !== operation.path &&
      path.replace('/public/', '/') === operation.path &&
      shapeOf(get) === shapeOf(operation),
  );
  return twin === undefined ? null : { path: twin[0], ...twin[1].get };
}

function writeDifference(
  operation: OperationWithPath,
  { twin, request }: { twin: OperationWithPath; request: string },
): Html {
  const headersOf = (each: Operation) => Object.keys((each.responses[200] as Response).headers);
  const own = headersOf(operation);
  const missing = headersOf(twin).filter((name) => !own.includes(name));
  const further = Object.entries(operation.responses).filter(([status]) => !(status in twin.responses));
  return html`<p>Everything that the key may read, in any state. Parameters and response are those of the
<a href="#${operationAnchor(twin)}">public operation</a>.</p>
${code('curl', request)}
<p class="note">${further.length > 0 && html`Further statuses: ${joined(further.flatMap(writeOtherStatus), ', ')}. `}${missing.length > 0 && html`There is no ${codeNames(missing, ' or ')} header.`}</p>`;
}

function writeOtherStatus([status, response]: [string, Response | Ref]): Html[] {
  if (status === '200') return [];
  if (!isRef(response)) return [html`<span title="${response.description}">${status}</span>`];
  return [html`<a href="#${errorAnchor(refName(response))}">${status}</a>`];
}

/** Long paths may break before slashes. */
function markParameters(path: string): Html {
  const parts = path.split('/').slice(1);
  return joined(
    parts.map((part) => (part.startsWith('{') ? html`/<var>${part}</var>` : html`/${part}`)),
    '<wbr>',
  );
}

function writeParameters(summary: string, parameters: readonly Parameter[]): Html {
  const rows = parameters.map((parameter) => [
    html`<code${writeField(parameter)}>${parameter.name}</code>
<span class="where">${parameter.in}${parameter.required === true && ', required'}${parameter.explode === true && ', repeatable'}</span>`,
    writeType(itemsOf(parameter.schema) ?? parameter.schema),
    html`${inlineMarkdown(parameter.description)}${example(exampleOf(parameter))}`,
  ]);
  return table(`Parameters: ${summary}`, ['Name', 'Type', 'Meaning'], rows);
}

function exampleOf({ example, examples = {} }: Parameter): string | undefined {
  const [first] = [example ?? Object.values(examples)[0]?.value].flat();
  return first === undefined ? undefined : String(first);
}

/** For the forms, which have no headers. */
function writeField(parameter: Parameter): Html {
  if (parameter.in === 'header') return html``;
  return html` data-in="${parameter.in}" data-example="${exampleOf(parameter) ?? ''}"${writeChoices(parameter)}`;
}

/** For a select instead of a text field. */
function writeChoices({ schema, explode }: Parameter): Html {
  const { type, enum: listed } = (itemsOf(schema) ?? schema) as JsonSchema;
  const values = type === 'boolean' ? ['true', 'false'] : listed;
  return values === undefined
    ? html``
    : html` data-values="${values.join(' ')}"${explode === true && html` data-many`}`;
}

/** Fills in the examples of the parameters. */
export function fillPath({ components }: OpenApiDocument, path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const parameter = components.parameters[name];
    return encodeURIComponent((parameter && exampleOf(parameter)) ?? name);
  });
}

function writeBody(type: string, { schema, examples = {} }: MediaType): Html {
  return html`
<p>200, <code>${type}</code>${type === 'application/json' && html`: ${writeType(schema)}`}</p>
${Object.entries(examples).map(
  ([name, { value }], index) => html`
<details${index === 0 && html` open`}>
<summary>Example${Object.keys(examples).length > 1 && html`: ${name}`}</summary>
${code(name, typeof value === 'string' ? withoutStyle(value) : formatJson(value))}
</details>`,
)}`;
}

/** The style sheet of an example is longer than the rest, and says nothing about the operation. */
function withoutStyle(document: string): string {
  return document.replace(/(?<=<style>).+(?=<\/style>)/s, '…');
}
