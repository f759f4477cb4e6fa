// When versions were released, by the tags of a Git repository.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { normaliseTimestamp } from '../domain/timestamp.ts';
import { Refusal } from '../errors.ts';
import type { ImportedVersion, ImportedVersions } from './changelog.ts';

const TAGS_BYTES_MAX = 64 * 1024 * 1024;
const GIT_MS_MAX = 60_000;
/** A tag may end in several labels: `a-1-2` in `1-2` and in `2`. */
const ENDINGS_A_TAG_MAX = 8;

type DateOfLabel = (label: string) => string | null;

type GitOptions = Readonly<{
  /** What the source calls itself: tags may begin with it. */
  name: string | null;
  environment: NodeJS.ProcessEnv;
}>;

/** The date of an annotated tag is its own, and that of any other the one of its commit. */
export async function readTagDates(
  repository: string,
  { name, environment }: GitOptions,
): Promise<DateOfLabel> {
  return findDates(await listTags(repository, environment), name);
}

async function listTags(repository: string, environment: NodeJS.ProcessEnv): Promise<string> {
  const format = '--format=%(creatordate:iso-strict) %(refname:strip=2)';
  // No shell, and nothing of a tag ever becomes an argument. These variables would name another repository.
  const env = { ...environment, GIT_DIR: undefined, GIT_WORK_TREE: undefined, LC_ALL: 'C' };
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
    throw new Refusal(`the tags of ${repository} cannot be read: ${reasonFor(error as GitFailure)}`, {
      cause: error,
    });
  }
}

type GitFailure = Error & { code?: string | number; killed?: boolean; stderr?: string };

function reasonFor({ code, killed, stderr = '', message }: GitFailure): string {
  if (code === 'ENOENT')
    return 'there is no `git` on this machine; install it, or leave out --dates-from-git.';
  if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER')
    return `they take more than ${TAGS_BYTES_MAX / 1024 ** 2} MiB.`;
  if (killed) return `git took longer than ${GIT_MS_MAX / 1000} seconds.`;
  if (/not a git repository|cannot change to/.test(stderr))
    return 'it is no Git repository; give the folder of a clone that has the tags.';
  return (stderr.split('\n')[0] || message).replace(/^fatal: /, '');
}

/** Two tags could be meant, so none is. */
const AMBIGUOUS = '';

export function findDates(tags: string, name: string | null): DateOfLabel {
  const dates = new Map<string, string>();
  const byEnding = new Map<string, string>();
  for (const line of linesOf(tags)) {
    const space = line.indexOf(' ');
    const date = normaliseTimestamp(line.slice(0, space));
    if (date === null) continue;
    const tag = line.slice(space + 1);
    dates.set(tag, date);
    for (const ending of endingsOf(tag)) byEnding.set(ending, byEnding.has(ending) ? AMBIGUOUS : date);
  }
  const names = name === null ? [] : [...new Set([name, name.split('/').at(-1) ?? ''])].filter(Boolean);
  return (label) => {
    for (const tag of tagsFor(label, names)) {
      const date = dates.get(tag);
      if (date !== undefined) return date;
    }
    return byEnding.get(bareLabel(label)) || null;
  };
}

/** A whole list of lines may be long; a line is not. */
function* linesOf(text: string): Generator<string> {
  let start = 0;
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
    yield text.slice(start, end);
    start = end + 1;
  }
}

/** In a repository of several packages, `v1.0.0` may be of any of them: a tag that names this one comes first. */
function* tagsFor(label: string, names: readonly string[]): Generator<string> {
  const bare = bareLabel(label);
  for (const name of names) {
    for (const between of ['@', '-v', '-', '/v', '/']) yield `${name}${between}${bare}`;
  }
  yield label;
  yield `v${bare}`;
  yield bare;
}

const bareLabel = (label: string) => label.replace(/^v(?=\d)/, '');

/** What stands after one of `@`, `/` and `-`, without a `v`, if it could be a label. */
function endingsOf(tag: string): string[] {
  const places = [...tag.matchAll(/[@/-](?=v?\d)/g)].slice(0, ENDINGS_A_TAG_MAX);
  return places.map(({ index }) => bareLabel(tag.slice(index + 1)));
}

/** Versions without a date of their own are dated by their tag, if they have one. */
export function withDates(versions: ImportedVersions, dateOf: DateOfLabel): ImportedVersions {
  return {
    length: versions.length,
    *[Symbol.iterator]() {
      for (const version of versions) yield version.isDated ? version : dated(version, dateOf);
    },
  };
}

function dated(version: ImportedVersion, dateOf: DateOfLabel): ImportedVersion {
  const publishedAt = dateOf(version.content.version);
  if (publishedAt === null) return version;
  return { ...version, isDated: true, content: { ...version.content, status: 'published', publishedAt } };
}
