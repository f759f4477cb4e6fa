// Release dates from the tags of a Git repository.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { normaliseTimestamp } from '../domain/timestamp.ts';
import { Refusal } from '../errors.ts';
import type { ImportedVersion } from './changelog.ts';

const TAGS_BYTES_MAX = 64 * 1024 * 1024;
const GIT_MS_MAX = 60_000;
/** A tag may end in several labels: `a-1-2` ends in `1-2` and in `2`. */
const ENDINGS_PER_TAG_MAX = 8;

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

type DateOfLabel = (label: string) => string | null;

type GitOptions = Readonly<{
  /** The name of the changelog, or several: tags may begin with it. */
  name: string | readonly string[] | null;
  environment: NodeJS.ProcessEnv;
}>;

/** An annotated tag has its own date; any other tag has the date of its commit. */
export async function readTagDates(
  repository: string,
  { name, environment }: GitOptions,
): Promise<DateOfLabel> {
  return findDates(await listTags(repository, environment), name);
}

async function listTags(repository: string, environment: NodeJS.ProcessEnv): Promise<string> {
  const format = '--format=%(creatordate:iso-strict) %(refname:strip=2)';
  // No shell, and no tag becomes an argument.
  const env = { ...environment, ...GIT_VARIABLES };
  try {
    const { stdout } = await promisify(execFile)(
      'git',
      ['-C', repository, 'for-each-ref', format, 'refs/tags'],
      {
        env,
        maxBuffer: TAGS_BYTES_MAX,
        timeout: GIT_MS_MAX,
      },
    );
    return stdout;
  } catch (error) {
    throw new Refusal(`cannot read the tags of ${repository}: ${reasonFor(error as GitFailure)}`, {
      cause: error,
    });
  }
}

type GitFailure = Error & { code?: string | number; killed?: boolean; stderr?: string };

function reasonFor({ code, killed, stderr = '', message }: GitFailure): string {
  if (code === 'ENOENT') return '`git` is not installed; install it or omit --dates-from-git.';
  if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return `they exceed ${TAGS_BYTES_MAX / 1024 ** 2} MiB.`;
  if (killed) return `git took longer than ${GIT_MS_MAX / 1000} seconds.`;
  if (/not a git repository|cannot change to/.test(stderr))
    return 'not a Git repository; pass the directory of a clone that has the tags.';
  if (stderr.includes('missing object'))
    return 'objects of tags are missing; pass the directory of a complete clone.';
  return (stderr.split('\n')[0] || message).replace(/^fatal: /, '');
}

/** Several tags have this ending, so it matches none. */
const AMBIGUOUS = '';

export function findDates(tags: string, name: GitOptions['name']): DateOfLabel {
  const dates = new Map<string, string>();
  const byEnding = new Map<string, string>();
  for (const line of tags.split('\n')) {
    const space = line.indexOf(' ');
    const date = normaliseTimestamp(line.slice(0, space));
    if (date === null) continue;
    const tag = line.slice(space + 1);
    dates.set(tag, date);
    for (const ending of endingsOf(tag)) byEnding.set(ending, byEnding.has(ending) ? AMBIGUOUS : date);
  }
  const given = [name ?? []].flat();
  const names = new Set(given.flatMap((each) => [each, each.split('/').at(-1) ?? '']).filter(Boolean));
  return (label) => {
    for (const tag of tagsFor(label, names)) {
      const date = dates.get(tag);
      if (date !== undefined) return date;
    }
    return byEnding.get(bareLabel(label)) || null;
  };
}

/** In a repository of several packages, `v1.0.0` may belong to any of them, so tags with the name come first. */
function* tagsFor(label: string, names: ReadonlySet<string>): Generator<string> {
  const bare = bareLabel(label);
  for (const name of names) {
    for (const between of ['@', '-v', '-', '/v', '/']) yield `${name}${between}${bare}`;
  }
  yield label;
  yield `v${bare}`;
  yield bare;
}

const bareLabel = (label: string) => label.replace(/^v(?=\d)/, '');

/** The parts after `@`, `/` and `-` that may be labels, without a `v`. */
function endingsOf(tag: string): string[] {
  const separators = [...tag.matchAll(/[@/-](?=v?\d)/g)].slice(0, ENDINGS_PER_TAG_MAX);
  return separators.map(({ index }) => bareLabel(tag.slice(index + 1)));
}

/** Dates the undated versions that have a tag. */
export function withDates(versions: readonly ImportedVersion[], dateOf: DateOfLabel): ImportedVersion[] {
  return versions.map((version) => (version.isDated ? version : dated(version, dateOf)));
}

function dated(version: ImportedVersion, dateOf: DateOfLabel): ImportedVersion {
  const publishedAt = dateOf(version.content.version);
  if (publishedAt === null) return version;
  return { ...version, isDated: true, content: { ...version.content, status: 'published', publishedAt } };
}
