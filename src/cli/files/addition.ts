import { appendFileSync, existsSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { Refusal } from '../../errors.ts';
import type { Cli } from '../cli.ts';

const NEWLINE = '\n'.charCodeAt(0);

/**
 * Lets `work` append lines to a file, which is created if it is missing, and removes them again if `work` fails. Follows
 * symbolic links, and keeps the mode of the file.
 */
export async function withAddition<T>(
  cli: Cli,
  name: string,
  work: (add: (lines: string) => void) => Promise<T>,
): Promise<T> {
  const file = path.resolve(cli.folder, name);
  let undo = () => {};
  try {
    return await work((lines) => {
      try {
        const before = existsSync(file) ? readFileSync(file) : null;
        undo = () => (before === null ? rmSync(file, { force: true }) : truncateSync(file, before.length));
        const isWhole = (before?.at(-1) ?? NEWLINE) === NEWLINE;
        appendFileSync(file, isWhole ? lines : `\n${lines}`, { flush: true });
      } catch (error) {
        const { message } = error as Error;
        throw new Refusal(`${name} cannot be changed (${message}); make it writable, or free some space`, {
          cause: error,
        });
      }
    });
  } catch (error) {
    undo();
    throw error;
  }
}
