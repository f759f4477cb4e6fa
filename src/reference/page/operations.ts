// The operations on the reference page: those that differ only in form or surface are one, with a line for each.
import { type Html, html, joined } from '../../present/template.ts';
import { type OpenApiDocument, type Operation, type Response, refName } from '../openapi/types.ts';
import { exampleOf, writeParameters, writeType } from './records.ts';
import { anchorOf, formatJson, inlineText, writeCode } from './texts.ts';

export type OperationWithPath = Operation & Readonly<{ path: string }>;

export type Group = Readonly<{
  tag: string;
  operations: readonly [OperationWithPath, ...OperationWithPath[]];
  /** The names of all their parameters. */
  parameters: ReadonlySet<string>;
}>;

export function groupOperations({ paths }: OpenApiDocument): Group[] {
  const operations = Object.entries(paths).map(([path, { get }]) => ({ path, ...get }));
  const publicPath = ({ path }: OperationWithPath) => path.replace('/v1/teams/', '/v1/public/teams/');
  const tagOf = (each: OperationWithPath) => (paths[publicPath(each)]?.get ?? each).tags[0] ?? '';
  const formless = (each: OperationWithPath) => publicPath(each).replace(/\.\w+$/, '');
  const groups = Map.groupBy(operations, (each) => `${tagOf(each)} ${formless(each)}`);
  return [...groups.values()].map((operations) => ({
    tag: tagOf(operations[0] as OperationWithPath),
    operations: operations as [OperationWithPath, ...OperationWithPath[]],
    parameters: new Set(operations.flatMap((each) => each.parameters.map(refName))),
  }));
}

/** The names of parameters that most operations have, or several: they are described together. */
type Elsewhere = Readonly<{ usual: ReadonlySet<string>; shared: ReadonlySet<string> }>;

export function writeGroup(
  document: OpenApiDocument,
  { operations, parameters }: Group,
  { usual, shared }: Elsewhere,
): Html {
  const [first] = operations;
  const commands = operations.filter(
    (each) => each === operations.find((other) => needsKey(other) === needsKey(each)),
  );
  const others = [...parameters.intersection(shared)].map(
    (name) =>
      html`<a href="#${anchorOf('parameter', name)}">${document.components.parameters[name]?.name ?? name}</a>`,
  );
  return html`<details class="text" id="${anchorOf('operation', first.operationId)}">
<summary>${titleOf(operations)}</summary>
${[...Map.groupBy(operations, ({ description }) => description)].map(
  ([text, described]) => html`<p>${inlineText(text)}</p>
<ul>
${described.map((each) => writeLine(each, each !== first))}
</ul>`,
)}
${commands.map((each) => writeCode(writeCurl(each, urlOf(document, each.path))))}
${writeParameters(document, parameters.difference(usual).difference(shared))}
${others.length > 0 && html`<p>Parameters: ${joined(others, ', ')}.</p>`}
${writeExamples(operations)}
${writeResponses(operations)}
</details>`;
}

/** What their summaries have in common: `The changelog as an Atom feed`, `The changelog as a JSON Feed`. */
function titleOf(operations: readonly Operation[]): string {
  const [words = [], ...others] = operations.map(({ summary }) => summary.replace(/\.$/, '').split(' '));
  const different = words.findIndex((word, index) => others.some((other) => other[index] !== word));
  const common = different === -1 ? words : words.slice(0, different);
  return common.join(' ').replace(/ as(?: an?)?$/, '');
}

function writeLine(operation: OperationWithPath, isLinked: boolean): Html {
  const [[type, media] = []] = Object.entries((operation.responses[200] as Response).content ?? {});
  const id = isLinked && html` id="${anchorOf('operation', operation.operationId)}"`;
  const record = type === 'application/json' && media !== undefined && html`: ${writeType(media.schema)}`;
  return html`<li${id}><code>${operation.path}</code> ${type ?? ''}${record}${needsKey(operation) && ', with an API key'}</li>`;
}

/** Each once: those of both surfaces are the same. */
function writeExamples(operations: readonly Operation[]): Html {
  const examples = new Map(
    operations.flatMap(({ responses }) =>
      Object.entries((responses[200] as Response).content ?? {}).flatMap(([type, { examples = {} }]) =>
        Object.entries(examples).map(([name, { value }]) => [name === 'whole' ? type : name, value] as const),
      ),
    ),
  );
  return html`${[...examples].map(
    ([name, value]) => html`<details>
<summary>Example: ${name}</summary>
${writeCode(typeof value === 'string' ? withoutStyle(value) : formatJson(value))}
</details>`,
  )}`;
}

/** The style sheet of an example is longer than the rest, and says nothing about the operation. */
function withoutStyle(document: string): string {
  return document.replace(/(?<=<style>).+(?=<\/style>)/s, '…');
}

function writeResponses(operations: readonly Operation[]): Html {
  const headers = new Set(
    operations.flatMap(({ responses }) => Object.keys((responses[200] as Response).headers)),
  );
  const statuses = new Set(operations.flatMap(({ responses }) => Object.keys(responses)));
  return html`<p class="also">Headers: ${[...headers].join(', ')}. Statuses: ${[...statuses].sort().join(', ')}.</p>`;
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

/** With the examples of the parameters in the path. */
export function urlOf({ components, servers }: OpenApiDocument, path: string): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const parameter = components.parameters[name];
    return encodeURIComponent((parameter && exampleOf(parameter)) ?? name);
  });
  return (servers[0]?.url ?? '') + filled;
}

function needsKey({ security }: Operation): boolean {
  return (
    security.length > 0 &&
    security.every((schemes) => 'bearerAuth' in schemes || 'apiKeyBesideGate' in schemes)
  );
}

export function needsPassword({ security }: Operation): boolean {
  return security.some((schemes) => 'basicGate' in schemes);
}
