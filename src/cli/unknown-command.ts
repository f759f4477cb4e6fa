import type { Command as Parser } from 'commander';
import { COMMAND } from '../command-name.ts';
import { nearest } from '../domain/nearest.ts';

/** People look for these first, but only keys have such a command. */
const CREATING = ['create', 'new', 'add', 'make'];
const HOW_TO_CREATE = `: \`${COMMAND} init\` sets up a team and a product, \`${COMMAND} apply FILE\` creates everything in a content document, and \`${COMMAND} import TEAM/PRODUCT FILE --create\` loads an existing changelog`;

/** Replaces Commander's error, which would answer `team create` with `delete`. */
export function explainUnknownCommands(program: Parser): void {
  if (program.commands.length === 0) return;
  program.on('command:*', ([typed = '', next = '']: string[]) => {
    const isCreating = CREATING.includes(typed);
    const meant = isCreating ? creatorIn(program, next) : nearestIn(program, typed);
    const advice = meant === undefined ? (isCreating ? HOW_TO_CREATE : '') : `\n(Did you mean ${meant}?)`;
    program.error(`error: unknown command '${typed}'${advice}`);
  });
  for (const group of program.commands) explainUnknownCommands(group);
}

function creatorIn(group: Parser, next: string): string | undefined {
  if (namesIn(group).includes('create')) return 'create';
  const named = group.commands.find((command) => command.name() === next);
  return named && namesIn(named).includes('create') ? `${next} create` : undefined;
}

function nearestIn(group: Parser, typed: string): string | undefined {
  // `list` is `team list`, `product list` and so on.
  const found = group.commands.filter((each) => namesIn(each).includes(typed));
  if (found.length === 0) return nearest(typed === 'start' ? 'serve' : typed, namesIn(group));
  const names = found.map((each) => `${each.name()} ${typed}`);
  return new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(names);
}

function namesIn({ commands }: Parser): string[] {
  return commands.map((command) => command.name());
}
