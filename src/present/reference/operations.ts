// An operation on the reference page: path, parameters, a curl command, the response.

import { type Html, html, joined } from '../html/template.ts';
import type { MediaType, OpenApiDocument, Operation, Parameter, Ref, Response } from '../openapi/types.ts';
import { isRef, refName } from '../openapi/types.ts';
import { anchorOf, code, formatJson, inlineMarkdown, table } from './html.ts';
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
  const { path, summary, description, security, responses } = operation;
  const parameters = operation.parameters.map(
    (ref) => document.components.parameters[refName(ref)] as Parameter,
  );
  const needsKey = security.some((each) => 'bearerAuth' in each);
  const success = responses[200] as Response;
  return html`
<article class="operation" id="${operationAnchor(operation)}" data-path="${path}"${!needsKey && html` data-open`}>
<h3>${titleOf(operation)}</h3>
<p class="address"><span class="method">GET</span> <code>${markParameters(path)}</code></p>
<p>${inlineMarkdown(description)}</p>
<p class="note">${needsKey ? 'Requires an API key.' : 'Requires no credentials, unless the site has a gate.'}</p>
${parameters.length > 0 && html`<h4>Parameters</h4>\n${writeParameters(summary, parameters)}`}
<h4>Request</h4>
${code(`Request: ${summary}`, writeCurl(document, path, parameters, needsKey))}
<h4>Response</h4>
${Object.entries(success.content ?? {}).map(([type, media]) => writeBody(type, media))}
<p class="note">Headers: ${joined(
    Object.keys(success.headers).map((name) => html`<code>${name}</code>`),
    ', ',
  )}.</p>
<p class="note">Other statuses: ${joined(Object.entries(responses).flatMap(writeOtherStatus), ', ')}.</p>
</article>`;
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
    html`<code data-in="${parameter.in}" data-example="${exampleOf(parameter)}">${parameter.name}</code>
<span class="where">${parameter.in}${parameter.required === true && ', required'}${parameter.explode === true && ', repeatable'}</span>`,
    writeType(itemsOf(parameter.schema) ?? parameter.schema),
    html`${inlineMarkdown(parameter.description)} <span class="example"><code>${exampleOf(parameter)}</code></span>`,
  ]);
  return table(`Parameters: ${summary}`, ['Name', 'Type', 'Meaning'], rows);
}

function exampleOf({ example, examples = {} }: Parameter): string {
  return String([example ?? Object.values(examples)[0]?.value].flat()[0]);
}

function writeCurl(
  { servers, components }: OpenApiDocument,
  path: string,
  parameters: readonly Parameter[],
  needsKey: boolean,
): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const parameter = parameters.find((each) => each.name === name) ?? components.parameters[name];
    return parameter === undefined ? name : encodeURIComponent(exampleOf(parameter));
  });
  const key = needsKey ? '-H "Authorization: Bearer $KEY" ' : '';
  return `curl ${key}${servers[0]?.url}${filled}`;
}

function writeBody(type: string, { schema, examples = {} }: MediaType): Html {
  return html`
<p>200, <code>${type}</code>${type === 'application/json' && html`: ${writeType(schema)}`}</p>
${Object.entries(examples).map(
  ([name, { value }], index) => html`
<details${index === 0 && html` open`}>
<summary>Example${Object.keys(examples).length > 1 && html`: ${name}`}</summary>
${code(`Example: ${name}`, typeof value === 'string' ? value : formatJson(value))}
</details>`,
)}`;
}
