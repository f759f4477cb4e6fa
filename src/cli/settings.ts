import { SETTINGS } from '../config.ts';

/** The settings table for `--help`. */
export function listSettings(): string {
  const rows = Object.values(SETTINGS);
  const width = Math.max(...rows.map(({ variable }) => variable.length));
  return rows
    .map(({ variable, help, accepts, defaultText }) => {
      const otherwise = defaultText === null ? 'unset' : `default ${defaultText}`;
      return `  ${variable.padEnd(width)}  ${help} (${accepts}; ${otherwise})`;
    })
    .join('\n');
}
