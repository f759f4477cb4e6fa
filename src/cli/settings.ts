import { SETTINGS } from '../config.ts';

/** The settings table for `--help`. */
export function listSettings(): string {
  const rows = Object.values(SETTINGS);
  const width = Math.max(...rows.map(({ variable }) => variable.length));
  return rows
    .map(({ variable, help, takes, fallback, reserved }) => {
      const notes = [
        takes,
        fallback === null ? 'unset' : `default ${fallback}`,
        ...(reserved ? ['not used yet'] : []),
      ];
      return `  ${variable.padEnd(width)}  ${help} (${notes.join('; ')})`;
    })
    .join('\n');
}
