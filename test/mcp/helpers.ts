import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { MAIN } from '../../cluster/nodes.ts';
import { tethered } from '../../cluster/tether.ts';
import { type Scope, temporaryFolder } from '../../support/processes/scope.ts';
import { run, type Sandbox } from '../../support/program/command.ts';

export type Result = Readonly<{ text: string; isError: boolean }>;
export type ToolCall = readonly [name: string, args: Record<string, unknown>];

type Connected = Readonly<{
  client: Client;
  pid: number;
  stderr: () => string;
  call: (...call: ToolCall) => Promise<Result>;
}>;

/** The real command, with the client of the SDK. */
export async function connect(
  scope: Scope,
  args: readonly string[],
  {
    environment = {},
    mode = 'legacy',
  }: { environment?: Record<string, string>; mode?: 'legacy' | 'auto' } = {},
): Promise<Connected> {
  const transport = new StdioClientTransport({
    ...tethered(process.execPath, [MAIN, 'mcp', ...args]),
    env: { PATH: process.env.PATH ?? '', ...environment },
    cwd: temporaryFolder(scope),
    stderr: 'pipe',
  });
  let stderr = '';
  transport.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
  scope.after(() => client.close());
  await client.connect(transport);
  const call = async (name: string, args: Record<string, unknown>) =>
    resultOf(await client.callTool({ name, arguments: args }));
  return { client, pid: transport.pid as number, stderr: () => stderr, call };
}

const OPENING = [
  {
    id: 'opening',
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'pipe', version: '1' } },
  },
  { method: 'notifications/initialized' },
];

/** The command within this process, with all messages in a pipe that ends. */
export async function callInPipe(
  sandbox: Sandbox,
  args: readonly string[],
  calls: readonly ToolCall[],
): Promise<Result[]> {
  const messages = calls.map(([name, params], id) => ({
    id,
    method: 'tools/call',
    params: { name, arguments: params },
  }));
  const lines = [...OPENING, ...messages].map((message) => JSON.stringify({ jsonrpc: '2.0', ...message }));
  const { code, stdout, stderr } = await run(sandbox, ['mcp', ...args], `${lines.join('\n')}\n`);
  assert.equal(code, 0, stderr);
  const responses = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  return calls.map((_, id) => resultOf(responses.find((response) => response.id === id)?.result));
}

function resultOf(result: unknown): Result {
  const { content, isError = false } = result as {
    content: { type: string; text: string }[];
    isError?: boolean;
  };
  assert.deepEqual(
    content.map(({ type }) => type),
    ['text'],
  );
  return { text: content[0]?.text ?? '', isError };
}
