// Gitea's records, with its field names and types, for the fields that its clients read (R57).
import { array, boolean, integer, object, type Static, text, timestamp } from '../../domain/schema.ts';

/** The release of Gitea whose API this follows; the rest, which clients ignore when comparing, tells it from Gitea. */
export const GITEA_VERSION = '1.22.0+changelog';

const SITE = 'https://changes.example.com';
const PAGE = `${SITE}/changelog/acme/rocket/versions/2.1.0`;
const API = `${SITE}/api/v1/repos/acme/rocket`;
const EXAMPLE_SHA = '6c1c0b9a8c1f0a8bd9b1a4a7c3e7d5f2a1b0c9d8';

export const GiteaServerVersion = object(
  {
    version: text({
      description: 'The release of Gitea whose API this follows.',
      examples: [GITEA_VERSION],
    }),
  },
  { description: 'What clients of Gitea read first.' },
);

const noArchive = () => text({ description: 'Always empty: a version has no archive.', examples: [''] });

const User = object(
  {
    id: integer({ description: 'Always 0.', examples: [0] }),
    login: text({ description: 'The slug of the team.', examples: ['acme'] }),
    full_name: text({ description: 'The name of the team.', examples: ['Acme'] }),
    email: text({ description: 'Always empty.', examples: [''] }),
    avatar_url: text({ description: 'Always empty.', examples: [''] }),
    username: text({ description: 'The same as `login`.', examples: ['acme'] }),
  },
  { description: 'The team, as a user of Gitea.' },
);

export const GiteaRelease = object(
  {
    id: integer({
      description: 'A number made from the id of the version. It never changes.',
      examples: [1186303489240331],
    }),
    tag_name: text({ description: 'The label of the version.', examples: ['2.1.0'] }),
    target_commitish: text({ description: 'The same as `tag_name`.', examples: ['2.1.0'] }),
    name: text({
      description: 'The title of the version, or its label if it has none.',
      examples: ['Faster launches'],
    }),
    body: text({
      description: 'The notes of the version, in Markdown.',
      examples: [
        'Launches with many targets finish in about half the time.\n\n### Added\n\n- Launches can be *paused* between stages.\n',
      ],
    }),
    url: text({ description: 'This record.', examples: [`${API}/releases/1186303489240331`] }),
    html_url: text({
      description: 'The page of the version.',
      examples: [PAGE],
    }),
    tarball_url: noArchive(),
    zipball_url: noArchive(),
    upload_url: text({ description: 'Always empty: nothing can be uploaded.', examples: [''] }),
    draft: boolean({ description: 'Always false.', examples: [false] }),
    prerelease: boolean({
      description: 'Whether the label is a semantic version with a prerelease part.',
      examples: [false],
    }),
    created_at: timestamp({
      description: '`publishedAt` of the version.',
      examples: ['2026-05-04T09:00:00.000Z'],
    }),
    published_at: timestamp({
      description: '`publishedAt` of the version.',
      examples: ['2026-05-04T09:00:00.000Z'],
    }),
    author: User,
    assets: array(object({}), { description: 'Always empty: a version has no files.', maxItems: 0 }),
  },
  { description: 'A version as a release of Gitea.' },
);

const Commit = object(
  {
    sha: text({
      description:
        'Not a commit: 40 hexadecimal digits made from the id of the version, for clients that need some.',
      examples: [EXAMPLE_SHA],
    }),
    created: timestamp({
      description: '`publishedAt` of the version.',
      examples: ['2026-05-04T09:00:00.000Z'],
    }),
    url: text({
      description: 'The page of the version.',
      examples: [PAGE],
    }),
  },
  { description: 'The version, as a commit.' },
);

export const GiteaTag = object(
  {
    name: text({ description: 'The label of the version.', examples: ['2.1.0'] }),
    message: text({ description: 'The title of the version.', examples: ['Faster launches'] }),
    id: text({ description: 'The same as `commit.sha`.', examples: [EXAMPLE_SHA] }),
    commit: Commit,
    tarball_url: noArchive(),
    zipball_url: noArchive(),
  },
  { description: 'A version as a tag of Gitea.' },
);

export const GiteaReleases = array(GiteaRelease, { description: 'Newest first.' });
export const GiteaTags = array(GiteaTag, { description: 'Newest first.' });

export type GiteaRelease = Static<typeof GiteaRelease>;
export type GiteaTag = Static<typeof GiteaTag>;
