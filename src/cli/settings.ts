import type { Command } from 'commander';
import { type Environment, findSetting, SETTINGS, VARIABLES } from '../config.ts';

/** Commander wraps help at this width if the output is a file or a pipe. */
const HELP_WIDTH = 80;

/** The settings table for `--help`. */
export function listSettings(command: Command): string {
  const helper = command.createHelp();
  helper.prepareContext({ helpWidth: command.configureOutput().getOutHelpWidth?.() ?? HELP_WIDTH });
  const rows = Object.values(SETTINGS);
  const width = Math.max(...rows.map(({ variable }) => variable.length));
  return rows
    .map(({ variable, help, accepts, defaultText }) => {
      const otherwise = defaultText === null ? 'unset' : `default ${defaultText}`;
      return helper.formatItem(variable, width, `${help} (${accepts}; ${otherwise})`, helper);
    })
    .join('\n');
}

/** Names of settings, except HOST and PORT in `redis://HOST:PORT`. */
const NAMES = new RegExp(`(?<![\\w@:/])(?:${[...VARIABLES].join('|')})(?!\\w)`, 'g');

/** Adds the prefix to the settings in a message that were given with it. */
export function withGivenNames(message: string, given: Environment): string {
  return message.replaceAll(NAMES, (name) => findSetting(given, name)?.name ?? name);
}
