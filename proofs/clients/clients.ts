// Starts the demo, makes clients from its own OpenAPI document, and calls every operation with each.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { startNode } from '../../cluster/nodes.ts';
import { type Scope, temporaryFolder } from '../../cluster/scope.ts';
import type { Environment } from '../../src/config.ts';
import type { OpenApiDocument } from '../../src/reference/openapi/types.ts';
import { CLIENTS, generateClients } from './generate.ts';
import type { Site } from './programs/site.ts';

const USERNAME = 'site';
const PASSWORD = 'secret';
const GATE = {
  PASSWORD_PROTECTION: 'true',
  PASSWORD_PROTECTION_USERNAME: USERNAME,
  PASSWORD_PROTECTION_PASSWORD: PASSWORD,
};
/** 304 and errors that a client can cause; 405 and 429 are the same for all operations. */
const STATUSES = [200, 304, 400, 401, 403, 404];

type Call = Readonly<{ operationId: string; method: string; status: number; body: unknown }>;
type ZodProgram = Readonly<{
  assertWholeBody: (operationId: string, body: unknown) => void;
  assertQueries: () => void;
}>;

export type Outcome = Readonly<{ client: string; gate: string; operations: number; calls: number }>;

export async function callWithGeneratedClients(
  scope: Scope,
  { gated }: { gated: boolean },
): Promise<Outcome[]> {
  const demo = await startDemo(scope, gated ? GATE : {}, gated ? `${USERNAME}:${PASSWORD}` : null);
  const document = await readDocument(demo);
  const gate = gated ? 'on' : 'off';
  const compiled = await generateClients(`gate-${gate}`, JSON.stringify(document));
  const zod: ZodProgram = await import(path.join(compiled, 'zod/zod.js'));
  zod.assertQueries();
  const outcomes: Outcome[] = [];
  for (const [client, program] of Object.entries(CLIENTS)) {
    const calls: Call[] = [];
    const { check } = await import(path.join(compiled, client, `${program}.js`));
    await check({ ...demo, fetch: recordingFetch(document, calls) });
    const operations = assertAllCalled(document, calls);
    for (const { operationId, method, status, body } of calls)
      if (method === 'GET' && status !== 304)
        zod.assertWholeBody(status < 400 ? operationId : 'ErrorBody', body);
    outcomes.push({ client, gate, operations, calls: calls.length });
  }
  return outcomes;
}

export async function startDemo(
  scope: Scope,
  settings: Environment = {},
  password: string | null = null,
): Promise<Omit<Site, 'fetch'>> {
  const folder = temporaryFolder(scope);
  const environment = { PUBLIC_RATE_LIMIT: '1000000', ...settings };
  const { address } = await startNode(scope, { command: 'demo', environment, folder });
  const keys = JSON.parse(readFileSync(path.join(folder, 'data/demo-keys.json'), 'utf8'));
  return { baseUrl: address, key: keys.full, password };
}

async function readDocument({ baseUrl, password }: Omit<Site, 'fetch'>): Promise<OpenApiDocument> {
  const headers: Record<string, string> =
    password === null ? {} : { Authorization: `Basic ${btoa(password)}` };
  const response = await fetch(`${baseUrl}/api/openapi.json`, { headers });
  return (await response.json()) as OpenApiDocument;
}

/** Notes which operation of the document was called, and what it returned. */
function recordingFetch(document: OpenApiDocument, calls: Call[]): typeof fetch {
  const operations = Object.entries(document.paths).map(([template, { get, head }]) => ({
    expression: new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    ids: { GET: get.operationId, HEAD: head.operationId } as Readonly<Record<string, string>>,
  }));
  return async (input, init) => {
    const request = new Request(input, init);
    const { pathname } = new URL(request.url);
    const { method } = request;
    const response = await fetch(request);
    const found = operations.find(({ expression }) => expression.test(pathname))?.ids[method];
    assert.ok(found, `${method} ${pathname} is not in the document`);
    const text = await response.clone().text();
    const isJson = /json/.test(response.headers.get('content-type') ?? '') && text !== '';
    calls.push({
      operationId: found,
      method,
      status: response.status,
      body: isJson ? JSON.parse(text) : text,
    });
    return response;
  };
}

function assertAllCalled({ paths }: OpenApiDocument, calls: readonly Call[]): number {
  const described = Object.values(paths).flatMap(({ get, head }) => [get.operationId, head.operationId]);
  const succeeded = new Set(
    calls.filter(({ status }) => status === 200).map(({ operationId }) => operationId),
  );
  assert.deepEqual([...succeeded].sort(), described.sort());
  const statuses = new Set(calls.map(({ status }) => status));
  assert.deepEqual([...statuses].sort(), STATUSES);
  return described.length;
}
