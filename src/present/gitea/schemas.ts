// Gitea's records, with its field names and types, for the fields that its clients read (R57).
import {
  array,
  boolean,
  integer,
  object,
  record,
  type Static,
  text,
  timestamp,
} from '../../domain/schema.ts';

/** The release of Gitea whose API this follows; the rest, which clients ignore when comparing, tells it from Gitea. */
export const GITEA_VERSION = '1.22.0+changelog';

const SITE = 'https://changes.example.com';
const PAGE = `${SITE}/changelog/acme/rocket/versions/2.1.0`;
const API = `${SITE}/api/v1/repos/acme/rocket`;
const EXAMPLE_SHA = '6c1c0b9a8c1f0a8bd9b1a4a7c3e7d5f2a1b0c9d8';

export const GiteaServerVersion = record('What clients of Gitea read first.', {
  version: text('The release of Gitea whose API this follows.', GITEA_VERSION),
});

const noArchive = () => text('Always empty: a version has no archive.', '');

const User = record('The team, as a user of Gitea.', {
  id: integer('Always 0.', 0),
  login: text('The slug of the team.', 'acme'),
  full_name: text('The name of the team.', 'Acme'),
  email: text('Always empty.', ''),
  avatar_url: text('Always empty.', ''),
  username: text('The same as `login`.', 'acme'),
});

export const GiteaRelease = record('A version as a release of Gitea.', {
  id: integer('A number made from the id of the version. It never changes.', 1186303489240331),
  tag_name: text('The label of the version.', '2.1.0'),
  target_commitish: text('The same as `tag_name`.', '2.1.0'),
  name: text('The title of the version, or its label if it has none.', 'Faster launches'),
  body: text(
    'The notes of the version, in Markdown.',
    'Launches with many targets finish in about half the time.\n\n### Added\n\n- Launches can be *paused* between stages.\n',
  ),
  url: text('This record.', `${API}/releases/1186303489240331`),
  html_url: text('The page of the version.', PAGE),
  tarball_url: noArchive(),
  zipball_url: noArchive(),
  upload_url: text('Always empty: nothing can be uploaded.', ''),
  draft: boolean('Always false.', false),
  prerelease: boolean('Whether its label is that of a prerelease, or it was yanked.', false),
  created_at: timestamp('`publishedAt` of the version.', '2026-05-04T09:00:00.000Z'),
  published_at: timestamp('`publishedAt` of the version.', '2026-05-04T09:00:00.000Z'),
  author: User,
  assets: array(object({}), { description: 'Always empty: a version has no files.', maxItems: 0 }),
});

export const GiteaRepository = record('A product as a repository of Gitea.', {
  id: integer('A number made from the id of the changelog. It never changes.', 5163424893164122),
  owner: User,
  name: text('The slug of the product.', 'rocket'),
  full_name: text('The slugs of the team and the product.', 'acme/rocket'),
  description: text('The name of the product.', 'Rocket'),
  url: text('This record.', API),
  html_url: text('The page of the product.', `${SITE}/changelog/acme/rocket`),
  website: text('The site of the product; empty if it names none.', 'https://rocket.example'),
  default_branch: text('Always empty: there is no code here.', ''),
  private: boolean('Whether it can be read only with an API key.', false),
  archived: boolean('Whether the product or its changelog is locked.', false),
  has_releases: boolean('Always true.', true),
  release_counter: integer('The number of releases, at most 10,000.', 12),
  updated_at: timestamp(
    '`publishedAt` of the newest version; in year 1 if there is none.',
    '2026-05-04T09:00:00.000Z',
  ),
  permissions: record('What the reader may do.', {
    admin: boolean('Always false.', false),
    push: boolean('Always false.', false),
    pull: boolean('Always true.', true),
  }),
});

const Commit = record('The version, as a commit.', {
  sha: text(
    'Not a commit: 40 hexadecimal digits made from the id of the version, for clients that need some.',
    EXAMPLE_SHA,
  ),
  created: timestamp('`publishedAt` of the version.', '2026-05-04T09:00:00.000Z'),
  url: text('The page of the version.', PAGE),
});

export const GiteaTag = record('A version as a tag of Gitea.', {
  name: text('The label of the version.', '2.1.0'),
  message: text('The title of the version.', 'Faster launches'),
  id: text('The same as `commit.sha`.', EXAMPLE_SHA),
  commit: Commit,
  tarball_url: noArchive(),
  zipball_url: noArchive(),
});

export const GiteaReleases = array(GiteaRelease, 'Newest first.');
export const GiteaTags = array(GiteaTag, 'Newest first.');

export type GiteaRepository = Static<typeof GiteaRepository>;
export type GiteaRelease = Static<typeof GiteaRelease>;
export type GiteaTag = Static<typeof GiteaTag>;
