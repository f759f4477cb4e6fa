// What the description of the API says of each read, by its pattern.
import type { TagName } from '../../present/openapi/inputs.ts';

export type ReadText = Readonly<{
  /** What is read, as operations name it: `Version` makes `getVersion` and `getPublicVersion`. */
  name: string;
  summary: string;
  description: string;
  /** Where it is not simply that of its surface. */
  tag?: TagName;
}>;

const CHANGELOG = '/teams/:team/products/:product/changelog';
const FEED =
  'The newest 250 versions with their full content, dated by `publishedAt`. Entries keep their ids.';

export const READ_TEXTS: Readonly<Record<string, ReadText>> = {
  [CHANGELOG]: {
    name: 'Changelog',
    summary: 'The changelog of a product.',
    description:
      'All versions that the surface shows, each as a summary. Parameters choose among them; without any, all of them are listed.',
  },
  [`${CHANGELOG}/versions/:versionId`]: {
    name: 'Version',
    summary: 'One version with its changes.',
    description: 'A version is found only below its own team, product and changelog.',
  },
  [`${CHANGELOG}/changes`]: {
    name: 'Changes',
    summary: 'All changes between two versions.',
    description:
      'What changed after `from`, up to and including `to`: grouped by type, breaking changes first, each with the version that it came with. A range over more than 500 versions or 5,000 changes is 400.',
  },
  [`${CHANGELOG}/feed.atom`]: {
    name: 'AtomFeed',
    summary: 'The changelog as an Atom feed.',
    description: FEED,
    tag: 'Feeds',
  },
  [`${CHANGELOG}/feed.rss`]: {
    name: 'RssFeed',
    summary: 'The changelog as an RSS 2.0 feed.',
    description: FEED,
    tag: 'Feeds',
  },
  [`${CHANGELOG}/feed.json`]: {
    name: 'JsonFeed',
    summary: 'The changelog as a JSON Feed 1.1.',
    description: FEED,
    tag: 'Feeds',
  },
  [`${CHANGELOG}/CHANGELOG.md`]: {
    name: 'MarkdownChangelog',
    summary: 'The whole changelog as one Markdown file.',
    description: 'All versions, in the form of Keep a Changelog.',
    tag: 'Feeds',
  },
};
