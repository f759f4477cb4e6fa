import type { Command } from 'commander';
import { SETTINGS } from '../config.ts';

/** Of a file or a pipe, as in the rest of the help. */
const HELP_WIDTH = 80;

/** The settings table for `--help`, as wide as the rest of it. */
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
