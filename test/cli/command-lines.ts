// Every command of the program, and ways to type something in the wrong place.
import type { Argument, Command } from 'commander';
import { buildProgram } from '../../src/cli/program.ts';

export const PROGRAM = await buildProgram({
  environment: {},
  folder: '/nonexistent',
  print: () => {},
  say: () => {},
  standardInput: () => [],
  now: () => '',
  exit: (code) => {
    throw new Error(`exit ${code}`);
  },
});

function leavesOf(command: Command, path: readonly string[] = []): { path: string[]; command: Command }[] {
  return command.commands.flatMap((child) => {
    const own = [...path, child.name()];
    return child.commands.length === 0 ? [{ path: own, command: child }] : leavesOf(child, own);
  });
}

export const LEAVES = leavesOf(PROGRAM);

/** A valid value for each argument. */
function usual(argument: Argument): string {
  const known: Record<string, string> = { team: 'acme', 'team/product': 'acme/rocket', version: '1.0.0' };
  return known[argument.name()] ?? 'x';
}

/** The command with `typed` as one of its values, and valid values for the others. */
export function commandLines(path: readonly string[], command: Command, typed: string): string[][] {
  const args = command.registeredArguments.map(usual);
  const mandatory = command.options
    .filter(({ mandatory }) => mandatory)
    .flatMap(({ long }) => [`${long}`, 'FULL']);
  return [
    ...args.map((_, place) => [...args.with(place, typed), ...mandatory]),
    ...command.options
      .filter(({ required, optional }) => required || optional)
      .flatMap(({ long }) => [
        [...args, ...mandatory, `${long}`, typed],
        [...args, ...mandatory, `${long}=${typed}`],
      ]),
    [...args, ...mandatory, typed],
    [...args, ...mandatory, `--${typed}`],
    [...args, ...mandatory, `--json=${typed}`],
  ].map((line) => [...path, ...line]);
}
