// Release dates from the tags of a Git repository.
import { normaliseTimestamp } from '../domain/timestamp.ts';
import { Refusal } from '../errors.ts';
import type { ImportedVersion } from './changelog.ts';
import { describeGitFailure, type GitFailure, runGit } from './git.ts';

const TAGS_BYTES_MAX = 64 * 1024 * 1024;
/** A tag may end in several labels: `a-1-2` ends in `1-2` and in `2`. */
const ENDINGS_PER_TAG_MAX = 8;

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
  // No tag becomes an argument.
  const args = ['for-each-ref', format, 'refs/tags'];
  try {
    return (await runGit(repository, args, { environment, bytesMax: TAGS_BYTES_MAX })).toString();
  } catch (error) {
    throw new Refusal(`cannot read the tags of ${repository}: ${reasonFor(error as GitFailure)}`, {
      cause: error,
    });
  }
}

function reasonFor(failure: GitFailure): string {
  if (failure.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER')
    return `they exceed ${TAGS_BYTES_MAX / 1024 ** 2} MiB.`;
  if (failure.stderr?.includes('missing object'))
    return 'objects of tags are missing; pass the directory of a complete clone.';
  return describeGitFailure(failure, '--dates-from-git', 'pass the directory of a clone that has the tags');
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
