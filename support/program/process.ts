// Runs the program as a separate process, on a test's database.
import { type Node, type Program, spawnProgram as spawnIn, startNode } from '../../cluster/nodes.ts';
import type { Environment } from '../../src/config.ts';
import { environmentOf } from '../databases/engine.ts';
import type { Scope } from '../processes/scope.ts';
import type { Sandbox } from './command.ts';

export type ServerProcess = Node;

export async function spawnProgram(
  scope: Scope,
  sandbox: Sandbox,
  args: readonly string[],
  environment: Environment = {},
): Promise<Program> {
  return spawnIn(scope, args, await at(sandbox, environment));
}

/** Starts `serve` on a free port and waits until it listens. */
export async function spawnServer(
  scope: Scope,
  sandbox: Sandbox,
  environment: Environment = {},
  flags: readonly string[] = [],
): Promise<ServerProcess> {
  return await startNode(scope, { ...(await at(sandbox, environment)), args: flags });
}

async function at(sandbox: Sandbox, environment: Environment) {
  return {
    folder: sandbox.folder,
    environment: { ...(await environmentOf(sandbox)), ...environment },
  };
}
