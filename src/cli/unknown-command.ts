import type { Command } from 'commander';
import { COMMAND } from '../command-name.ts';
import { nearest } from '../domain/nearest.ts';

/** People look for these first, but only keys have such a command. */
const CREATING = ['create', 'new', 'add', 'make'];
const CREATE = 'create';

const HOW_TO_CREATE = `\`${COMMAND} init\` sets up a team and a product, \`${COMMAND} apply FILE\` creates everything in a content document, and \`${COMMAND} import TEAM/PRODUCT FILE --create\` loads an existing changelog`;

/** Replaces Commander's error, which would answer `team create` with `delete`. */
export function explainUnknownCommands(program: Command): void {
  if (program.commands.length === 0) return;
  program.on('command:*', ([typed = '', next = '']: string[]) => {
    program.error(`error: unknown command '${typed}'${adviceOn(program, typed, next)}`);
  });
  for (const group of program.commands) explainUnknownCommands(group);
}

function adviceOn(group: Command, typed: string, next: string): string {
  if (!CREATING.includes(typed))
    return didYouMean(
      ofSubgroups(group, typed) ?? nearest(typed === 'start' ? 'serve' : typed, namesIn(group)),
    );
  if (namesIn(group).includes(CREATE)) return didYouMean(CREATE);
  const named = group.commands.find((command) => command.name() === next);
  return named && namesIn(named).includes(CREATE) ? didYouMean(`${next} ${CREATE}`) : `: ${HOW_TO_CREATE}`;
}

/** `list` is `team list`, `product list` and so on. */
function ofSubgroups({ commands }: Command, typed: string): string | undefined {
  const found = commands
    .filter((group) => namesIn(group).includes(typed))
    .map((group) => `${group.name()} ${typed}`);
  const last = found.pop();
  return found.length === 0 ? last : `${found.join(', ')} or ${last}`;
}

function didYouMean(meant: string | undefined): string {
  return meant === undefined ? '' : `\n(Did you mean ${meant}?)`;
}

function namesIn({ commands }: Command): string[] {
  return commands.map((command) => command.name());
}
