// Runs the program as a separate process, on a test's database.
import { type Node, type Program, spawnProgram as spawnIn, startNode } from '../../cluster/nodes.ts';
import type { Environment } from '../../src/config.ts';
import { environmentOf } from '../databases/engine.ts';
import type { Scope } from '../processes/scope.ts';
import type { Workplace } from './command.ts';

export type ServerProcess = Node;

export async function spawnProgram(
  scope: Scope,
  workplace: Workplace,
  args: readonly string[],
  environment: Environment = {},
): Promise<Program> {
  return spawnIn(scope, args, await at(workplace, environment));
}

/** Starts `serve` on a free port and waits until it listens. */
export async function spawnServer(
  scope: Scope,
  workplace: Workplace,
  environment: Environment = {},
  flags: readonly string[] = [],
): Promise<ServerProcess> {
  return await startNode(scope, { ...(await at(workplace, environment)), args: flags });
}

async function at(workplace: Workplace, environment: Environment) {
  return {
    folder: workplace.folder,
    environment: { ...(await environmentOf(workplace)), ...environment },
  };
}
