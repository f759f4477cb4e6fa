// Compares docs/agents.md and the settings in docs/cli.md with the code.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { withPlace } from '../../src/mcp/arguments.ts';
import { RESULT_CHARACTERS_MAX } from '../../src/mcp/markdown.ts';
import { SECRETS } from '../../src/mcp/settings.ts';
import { TOOLS } from '../../src/mcp/tools.ts';
import { listenApp } from '../../support/program/app.ts';
import { runOk } from '../../support/program/command.ts';
import { sandboxOf } from '../cli/helpers.ts';
import { bare, codeBlock, section, tableUnder } from '../support/markdown.ts';
import { callInPipe } from './helpers.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const AGENTS = read('docs/agents.md');
const MCP = section(AGENTS, '## MCP');

describe('docs/agents.md', () => {
  it('docs/agents.md lists every tool with its arguments', () => {
    const documented = tableUnder(AGENTS, 'Tool').map(([name = '', , args = '']) => [bare(name), bare(args)]);
    assert.deepEqual(
      documented,
      TOOLS.map((tool) => {
        const { team, product, ...others } = withPlace(tool.arguments, tool.scope, null).properties;
        return [tool.name, Object.keys(others).join(', ')];
      }),
    );
    assert.ok(AGENTS.includes(RESULT_CHARACTERS_MAX.toLocaleString('en')));
    assert.ok(AGENTS.trimEnd().split('\n').length <= 105);
  });

  it('docs/agents.md shows settings that work, and the result of a call in the demo', async (t) => {
    const { command, args, env } = JSON.parse(codeBlock(MCP, 'json')).mcpServers.changelog;
    const sandbox = sandboxOf(t, { environment: env });
    await runOk(sandbox, ['apply', path.join(ROOT, 'demo/acme.yaml')]);
    const { address } = await listenApp(t, sandbox);
    const [name, ...rest] = args.map((each: string) => (each.startsWith('https:') ? address : each));
    assert.deepEqual([command, name, ...Object.keys(env)], ['changelog', 'mcp', SECRETS.apiKey.variable]);
    const [, shown = ''] = /`changes_between` with\s+`(\{.*?\})`/s.exec(MCP) ?? [];
    const [result] = await callInPipe(sandbox, rest, [['changes_between', JSON.parse(shown)]]);
    assert.equal(`${result?.text}\n`, codeBlock(MCP, 'markdown'));
  });

  it('docs/cli.md lists every variable of `changelog mcp`', () => {
    const documented = tableUnder(section(read('docs/cli.md'), '## Agents'), 'Variable');
    assert.deepEqual(
      documented.map(([variable = '', meaning]) => [bare(variable), meaning]),
      Object.values(SECRETS).map(({ variable, help }) => [variable, help]),
    );
  });
});

function read(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8');
}
