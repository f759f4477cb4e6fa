import path from 'node:path';
import { readInput } from '../../content/input.ts';
import { Refusal } from '../../errors.ts';
import { parseSource } from '../../import/remote/sources.ts';
import type { Cli } from '../cli.ts';
import { withProgress } from '../terminal/progress.ts';

/** Fetches releases or a file, or else reads a file, or standard input for `-`. `isModified` is known of what is fetched. */
export async function openSource(cli: Cli, name: string) {
  const source = parseSource(name, cli.environment);
  if (source === null)
    return { input: await readInput(name, { ...cli, advice: 'import it in parts' }), isReleases: false };
  const { fetchSource } = await import('../../import/remote/fetch.ts');
  const options = { cacheFolder: cacheFolderOf(cli), now: cli.now() };
  const work = { what: `fetching ${name}`, format: (pages: number) => `${pages} pages` };
  const fetched = await withProgress(cli, work, (onPage) => fetchSource(source, { ...options, onPage }));
  return { ...fetched, isReleases: source.isReleases };
}

/** Null if the environment names neither a cache nor a home. */
function cacheFolderOf({ environment: { XDG_CACHE_HOME: cache = '', HOME: home = '' } }: Cli): string | null {
  if (path.isAbsolute(cache)) return path.join(cache, 'changelog');
  return path.isAbsolute(home) ? path.join(home, '.cache', 'changelog') : null;
}

/** Reports the problems of all files at once. */
export async function forAll<T, R>(files: readonly T[], read: (file: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const lines = new Set<string>();
  for (const file of files)
    try {
      results.push(await read(file));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      for (const line of [error.message, ...error.more]) lines.add(line);
    }
  const [first, ...more] = lines;
  if (first !== undefined) throw new Refusal(first, { more });
  return results;
}
