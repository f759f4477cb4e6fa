// The tools: each is a value, and returns Markdown.
import type { ChangelogClient } from '../../client/index.js';
import { CHANGE_TYPES } from '../domain/model.ts';
import { boolean, integer, object, oneOf, type Schema, text } from '../domain/schema.ts';
import type { Scope } from './arguments.ts';
import { writeProducts, writeRange, writeUpdate, writeVersion, writeVersions } from './markdown.ts';
import type { McpSettings, Place } from './settings.ts';

const VERSIONS_DEFAULT = 20;
const LATEST = 'latest';

type Call = Readonly<{ place: Place; settings: McpSettings; client: ChangelogClient; signal: AbortSignal }>;

type Definition<A> = Readonly<{
  name: string;
  title: string;
  description: string;
  scope: Scope;
  arguments: Schema<A>;
  run: (args: A, call: Call) => Promise<string>;
}>;

export type Tool = Definition<unknown>;

/** The arguments were validated by their schema. */
const tool = <A>(definition: Definition<A>): Tool => definition as Tool;

const numberFrom = (minimum: number, maximum: number, description: string) =>
  integer({ minimum, maximum, description });
const words = (maxLength: number, description: string) => text({ minLength: 1, maxLength, description });
const label = (description: string) => words(128, description);
const timestamp = (when: string) =>
  text({ maxLength: 40, description: `${when}; ISO 8601, such as 2026-05-04` });

const limit = numberFrom(1, 100, `Number of versions. Default: ${VERSIONS_DEFAULT}`);
const cursor = text({
  pattern: '^[A-Za-z0-9_-]{1,400}$',
  description: 'From the end of the previous result',
});
const offset = numberFrom(
  0,
  1_000_000,
  'Skip this many changes. A result that is too long ends with the offset for its next part',
);
const since = timestamp('Published then or later');
const until = timestamp('Published then or earlier');
const q = words(500, 'Versions that have all of these words, or longer ones that begin with them');
const prerelease = boolean('false excludes prereleases such as 2.0.0-rc.1. Default: true');
const version = label('Label, such as 2.1.0, or id. Default: latest, the highest stable one not yanked');
const used = label('The version that is in use, such as 1.4.0');
const from = label('The version that is in use, such as 1.4.0. Its own changes are not included');
const to = label('The version to upgrade to. Default: latest, the highest stable one not yanked');
const type = oneOf(CHANGE_TYPES, 'Only changes of this type');
const breakingOnly = boolean('true: only changes that their authors marked as breaking');
const early = boolean('true counts prereleases such as 2.0.0-rc.1. Default: false');

export const TOOLS: readonly Tool[] = [
  tool({
    name: 'list_products',
    title: 'List the products of a team',
    description:
      'Lists the products of a team: slug, newest version with its date, whether that is a prerelease or yanked (withdrawn), page, and name.',
    scope: 'team',
    arguments: object({}, { optional: { cursor } }),
    run: async (query, { client, signal }) => writeProducts(await client.products(query, { signal })),
  }),
  tool({
    name: 'list_versions',
    title: 'List the versions of a product or a team',
    description:
      'Lists the versions of a product, or of all products of a team, newest first: label, date, whether it is a prerelease or yanked (withdrawn), number of changes and of breaking changes, and title; of a team, the product too.',
    scope: 'either',
    arguments: object({}, { optional: { limit, cursor, prerelease, since, until, q } }),
    run: async (query, { place, client, signal }) => {
      const full = { limit: VERSIONS_DEFAULT, ...query, include: 'changes' } as const;
      const isTeam = place.product === null;
      return writeVersions(
        await (isTeam ? client.teamFeed(full, { signal }) : client.feed(full, { signal })),
      );
    },
  }),
  tool({
    name: 'get_version',
    title: 'Read one version',
    description:
      'Returns one version of a product with its description and all its changes, breaking ones first.',
    scope: 'product',
    arguments: object({}, { optional: { version, offset } }),
    run: async ({ version = LATEST, offset = 0 }, call) => {
      const found = await call.client.version(version, { signal: call.signal });
      return writeVersion(found, { offset, url: `${urlOf(call)}/versions/${found.id}` });
    },
  }),
  tool({
    name: 'changes_between',
    title: 'What changed between two versions',
    description:
      'Returns all changes after one version, up to and including another, by default the latest: breaking changes first, then security fixes, then the other types, each with its version. Use it before an upgrade, to see what breaks. Versions are compared as semantic versions; they need not exist. For other labels, such as dates, use list_versions with since, and get_version.',
    scope: 'product',
    arguments: object({ from }, { optional: { to, type, breakingOnly, prerelease, offset } }),
    run: async ({ from, to = LATEST, type, prerelease, breakingOnly = false, offset = 0 }, call) => {
      const { client, signal } = call;
      const latest = to === LATEST ? await client.latest({ signal }) : null;
      const last = latest?.version ?? to;
      const range = await client.changesBetween(from, last, { type, prerelease, signal });
      const part = { offset, url: `${urlOf(call)}/changes?${new URLSearchParams({ from, to: last })}` };
      return writeRange(range, { breakingOnly, type: type ?? null, latest }, part);
    },
  }),
  tool({
    name: 'check_for_update',
    title: 'Is there a newer version?',
    description:
      'Returns whether a product has a newer version than the one in use, whether that is a prerelease or yanked (withdrawn), how many versions and changes lie in between, and whether some of them are security or breaking changes. Use changes_between to read them.',
    scope: 'product',
    arguments: object({ from: used }, { optional: { prerelease: early } }),
    run: async ({ from, prerelease }, { client, signal }) =>
      writeUpdate(await client.checkForUpdate(from, { prerelease, signal })),
  }),
];

/** Where the API has the product. */
function urlOf({ settings: { url, apiKey }, place: { team, product } }: Call): string {
  return `${url}/api/v1/${apiKey === null ? 'public/' : ''}teams/${team}/products/${product}/changelog`;
}
