import type { ChangelogClient } from '../../client/index.js';
import type { Schema } from '../domain/schema.ts';
import {
  PRODUCTS_ARGUMENTS,
  RANGE_ARGUMENTS,
  type Scope,
  UPDATE_ARGUMENTS,
  VERSION_ARGUMENTS,
  VERSIONS_ARGUMENTS,
  VERSIONS_DEFAULT,
} from './arguments.ts';
import {
  writeProducts,
  writeRange,
  writeTeamVersions,
  writeUpdate,
  writeVersion,
  writeVersions,
} from './markdown.ts';
import type { Place } from './settings.ts';

const LATEST = 'latest';

type Call = Readonly<{
  place: Place;
  client: ChangelogClient;
  signal: AbortSignal;
  /** The URL of the product's changelog in the API. */
  url: string;
}>;

type Definition<A> = Readonly<{
  name: string;
  title: string;
  description: string;
  scope: Scope;
  arguments: Schema<A>;
  /** Returns Markdown. */
  run: (args: A, call: Call) => Promise<string>;
}>;

export type Tool = Definition<unknown>;

/** The arguments were validated by their schema. */
function tool<A>({ run, ...rest }: Definition<A>): Tool {
  return { ...rest, run: (args, call) => run(args as A, call) };
}

const listProducts = tool({
  name: 'list_products',
  title: 'List the products of a team',
  description:
    'Lists the products of a team: slug, newest version with its date, whether that is a prerelease or yanked (withdrawn), page, and name.',
  scope: 'team',
  arguments: PRODUCTS_ARGUMENTS,
  run: async (query, { client, signal }) => writeProducts(await client.products(query, { signal })),
});

const listVersions = tool({
  name: 'list_versions',
  title: 'List the versions of a product or a team',
  description:
    'Lists the versions of a product, or of all products of a team, newest first: label, date, whether it is a prerelease or yanked (withdrawn), number of changes and of breaking changes, and title; of a team, the product too.',
  scope: 'either',
  arguments: VERSIONS_ARGUMENTS,
  run: async (query, { place, client, signal }) => {
    const full = { limit: VERSIONS_DEFAULT, ...query, include: 'changes' } as const;
    return place.product === null
      ? writeTeamVersions(await client.teamFeed(full, { signal }))
      : writeVersions(await client.feed(full, { signal }));
  },
});

const getVersion = tool({
  name: 'get_version',
  title: 'Read one version',
  description:
    'Returns one version of a product with its description and all its changes, breaking ones first.',
  scope: 'product',
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
  scope: 'product',
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
    'Returns whether a product has a newer version than the one in use, whether that is a prerelease or yanked (withdrawn), how many versions and changes lie in between, and whether some of them are security or breaking changes. Use changes_between to read them.',
  scope: 'product',
  arguments: UPDATE_ARGUMENTS,
  run: async ({ from, prerelease }, { client, signal }) =>
    writeUpdate(await client.checkForUpdate(from, { prerelease, signal })),
});

export const TOOLS: readonly Tool[] = [
  listProducts,
  listVersions,
  getVersion,
  changesBetween,
  checkForUpdate,
];
