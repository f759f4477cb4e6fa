import type { ChangelogClient } from '../../client/index.js';
import type { Schema } from '../domain/schema.ts';
import {
  RANGE_ARGUMENTS,
  UPDATE_ARGUMENTS,
  VERSION_ARGUMENTS,
  VERSIONS_ARGUMENTS,
  VERSIONS_DEFAULT,
} from './arguments.ts';
import { writeRange, writeUpdate, writeVersion, writeVersions } from './markdown.ts';

const LATEST = 'latest';

type Call = Readonly<{
  client: ChangelogClient;
  signal: AbortSignal;
  /** The URL of the changelog in the API. */
  url: string;
}>;

type Definition<A> = Readonly<{
  name: string;
  title: string;
  description: string;
  arguments: Schema<A>;
  /** Returns Markdown. */
  run: (args: A, call: Call) => Promise<string>;
}>;

export type Tool = Definition<unknown>;

/** The arguments were validated by their schema. */
function tool<A>({ run, ...rest }: Definition<A>): Tool {
  return { ...rest, run: (args, call) => run(args as A, call) };
}

const listVersions = tool({
  name: 'list_versions',
  title: 'List the versions of a product',
  description:
    'Lists the versions of a product, newest first: label, date, number of changes and of breaking changes, whether it was yanked (withdrawn), and title.',
  arguments: VERSIONS_ARGUMENTS,
  run: async (query, { client, signal }) => {
    const full = { limit: VERSIONS_DEFAULT, ...query, include: 'changes' } as const;
    return writeVersions(await client.feed(full, { signal }));
  },
});

const getVersion = tool({
  name: 'get_version',
  title: 'Read one version',
  description:
    'Returns one version of a product with its description and all its changes, breaking ones first.',
  arguments: VERSION_ARGUMENTS,
  run: async ({ version = LATEST, offset = 0 }, { client, signal, url }) => {
    const found = await client.version(version, { signal });
    return writeVersion(found, { offset, url: `${url}/versions/${found.id}` });
  },
});

const changesBetween = tool({
  name: 'changes_between',
  title: 'What changed between two versions',
  description:
    'Returns all changes after one version, up to and including another, by default the latest: breaking changes first, then security fixes, then the other types, each with its version. Use it before an upgrade, to see what breaks. Versions are compared as semantic versions; they need not exist. For other labels, such as dates, use list_versions with since, and get_version.',
  arguments: RANGE_ARGUMENTS,
  run: async (
    { from, to = LATEST, type, prerelease, breakingOnly = false, offset = 0 },
    { client, signal, url },
  ) => {
    const latest = to === LATEST ? await client.latest({ signal }) : null;
    const last = latest?.version ?? to;
    const range = await client.changesBetween(from, last, { type, prerelease, signal });
    const query = new URLSearchParams({ from, to: last });
    return writeRange(
      range,
      { breakingOnly, type: type ?? null, latest },
      { offset, url: `${url}/changes?${query}` },
    );
  },
});

const checkForUpdate = tool({
  name: 'check_for_update',
  title: 'Is there a newer version?',
  description:
    'Returns whether a product has a newer version than the one in use, how many versions and changes lie in between, and whether some of them are security or breaking changes. Use changes_between to read them.',
  arguments: UPDATE_ARGUMENTS,
  run: async ({ from, prerelease }, { client, signal }) =>
    writeUpdate(await client.checkForUpdate(from, { prerelease, signal })),
});

export const TOOLS: readonly Tool[] = [listVersions, getVersion, changesBetween, checkForUpdate];
