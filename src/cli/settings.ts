import { SETTINGS } from '../config.ts';

/** The settings table for `--help`. */
export function listSettings(): string {
  const rows = Object.values(SETTINGS);
  const width = Math.max(...rows.map(({ variable }) => variable.length));
  return rows
    .map(({ variable, help, takes, fallback }) => {
      const defaultText = fallback === null ? 'unset' : `default ${fallback}`;
      return `  ${variable.padEnd(width)}  ${help} (${takes}; ${defaultText})`;
    })
    .join('\n');
}
