// Runs git without a shell and without what the configuration of a hostile repository could make it do.
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { INPUT_BYTES_MAX } from '../content/input.ts';
import { repositoryOf } from '../domain/content/repository.ts';
import { normaliseTimestamp } from '../domain/timestamp.ts';
import { Refusal } from '../errors.ts';

const GIT_MS_MAX = 60_000;

const GIT_VARIABLES = {
  // These would select another repository.
  GIT_DIR: undefined,
  GIT_WORK_TREE: undefined,
  // The configuration of a hostile repository names commands that fetch missing objects. Old versions of Git know only
  // the second variable: a list of protocols, of which none exists.
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: 'none',
  LC_ALL: 'C',
};

type GitOptions = Readonly<{ environment: NodeJS.ProcessEnv; bytesMax: number }>;

/** Rejects with a `GitFailure`. */
export async function runGit(
  folder: string,
  args: readonly string[],
  { environment, bytesMax }: GitOptions,
): Promise<Buffer> {
  const { stdout } = await promisify(execFile)('git', ['-C', folder, ...args], {
    env: { ...environment, ...GIT_VARIABLES },
    maxBuffer: bytesMax,
    timeout: GIT_MS_MAX,
    encoding: 'buffer',
  });
  return stdout;
}

export type GitFailure = Error & { code?: string | number; killed?: boolean; stderr?: Buffer };

const isNotInstalled = ({ code }: GitFailure) => code === 'ENOENT';
const isOutside = ({ stderr }: GitFailure) =>
  /not a git repository|cannot change to/.test(stderr?.toString() ?? '');

/** Whether there is nothing that git could have read. */
export function hasNoRepository(failure: GitFailure): boolean {
  return isNotInstalled(failure) || isOutside(failure);
}

/** What went wrong, and what to do without git or outside of a repository. */
export function describeGitFailure(failure: GitFailure, option: string, advice: string): string {
  const { code, killed, message } = failure;
  const errors = failure.stderr?.toString() ?? '';
  if (isNotInstalled(failure)) return `\`git\` is not installed; install it or omit ${option}.`;
  if (killed && code !== 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER')
    return `git took longer than ${GIT_MS_MAX / 1000} seconds.`;
  if (isOutside(failure)) return `not a Git repository; ${advice}.`;
  // As in a container that has the clone of its host.
  const [, owned] = /dubious ownership in repository at '(.+)'/.exec(errors) ?? [];
  if (owned !== undefined)
    return `it belongs to another user, so git does not read it; run \`git config --global --add safe.directory '${owned}'\` if you trust it.`;
  return (errors.split('\n')[0] || message).replace(/^fatal: /, '');
}

/** A file at a commit; null if it did not exist there. The name of the commit must not begin with a dash. */
export async function readFileAt(
  ref: string,
  file: string,
  environment: NodeJS.ProcessEnv,
): Promise<Buffer | null> {
  const [folder, name] = [path.dirname(file), path.basename(file)];
  const run = (bytesMax: number, ...args: readonly string[]) =>
    runGit(folder, args, { environment, bytesMax });
  const find = async (object: string) => {
    try {
      return (await run(ID_BYTES_MAX, 'rev-parse', '--verify', '--quiet', object)).toString().trim();
    } catch (error) {
      if ((error as GitFailure).code === NOT_FOUND) return null;
      throw error;
    }
  };
  try {
    const commit = await find(`${ref}^{commit}`);
    if (commit === null)
      throw new Refusal(
        `the repository of ${file} has no commit ${JSON.stringify(ref)}; check its name, or fetch it first (a CI that fetches only the last commit needs all of them).`,
      );
    const blob = await find(`${commit}:./${name}`);
    return blob === null ? null : await run(INPUT_BYTES_MAX, 'cat-file', 'blob', blob);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    const reason = describeGitFailure(
      error as GitFailure,
      '--since',
      '--since needs a file inside a Git repository',
    );
    throw new Refusal(`cannot read ${file} at ${ref}: ${reason}`, { cause: error });
  }
}

/** When a file was last committed; null if it never was, at a time that no calendar has, or without git. */
export async function readCommitTime(file: string, environment: NodeJS.ProcessEnv): Promise<string | null> {
  // The configuration may ask for signatures to be shown, by a program of its choice and among the output.
  const args = ['log', '-1', '--no-show-signature', '--format=%cI', '--', path.basename(file)];
  try {
    const printed = await runGit(path.dirname(file), args, { environment, bytesMax: ID_BYTES_MAX });
    return normaliseTimestamp(printed.toString().trim());
  } catch {
    return null;
  }
}

/** The page of the repository that a folder is in, by its remote `origin`; null if it has none, or without git. */
export async function readRepository(folder: string, environment: NodeJS.ProcessEnv): Promise<string | null> {
  try {
    const printed = await runGit(folder, ['remote', 'get-url', 'origin'], {
      environment,
      bytesMax: URL_BYTES_MAX,
    });
    return repositoryOf(printed.toString().trim());
  } catch {
    return null;
  }
}

const URL_BYTES_MAX = 10_000;

/** How `rev-parse --quiet` ends for a name that is unknown. */
const NOT_FOUND = 1;
const ID_BYTES_MAX = 1_000;
