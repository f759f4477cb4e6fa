// The program as a process of its own, at a test's workplace.
import { type Node, type Program, spawnProgram as spawnIn, startNode } from '../../cluster/nodes.ts';
import type { Environment } from '../../src/config.ts';
import { databaseUrl, type Workplace } from './command.ts';
import type { Scope } from './folder.ts';

export type ServerProcess = Node;

export function spawnProgram(
  scope: Scope,
  workplace: Workplace,
  args: readonly string[],
  environment: Environment = {},
): Program {
  return spawnIn(scope, args, at(workplace, environment));
}

/** Starts `serve` on a free port and waits until it says that it listens. */
export async function spawnServer(
  scope: Scope,
  workplace: Workplace,
  environment: Environment = {},
  flags: readonly string[] = [],
): Promise<ServerProcess> {
  return await startNode(scope, { ...at(workplace, environment), args: flags });
}

function at(workplace: Workplace, environment: Environment) {
  return {
    folder: workplace.folder,
    environment: { DATABASE_URL: databaseUrl(workplace), ...workplace.environment, ...environment },
  };
}
