// What goes out, as schemas: the types of the records, and what the server serialises with.
import { CHANGE_TYPES, PUBLICATION_STATES, VERSION_STATES } from '../domain/model.ts';
import {
  array,
  boolean,
  constant,
  integer,
  object,
  oneOf,
  type Schema,
  type Static,
  text,
  textOrNull,
} from '../domain/schema.ts';

const Team = object(
  {
    slug: text({ description: 'The team in addresses.', examples: ['acme'] }),
    name: text({ description: 'Its name.', examples: ['Acme'] }),
  },
  { description: 'The team that the product belongs to.' },
);

const Product = object(
  {
    slug: text({ description: 'The product in addresses.', examples: ['rocket'] }),
    name: text({ description: 'Its name.', examples: ['Rocket'] }),
  },
  { description: 'The product whose changelog it is.' },
);

const Changelog = object(
  {
    id: text({ description: 'Identifier, `cl_…`.', examples: ['cl_01a1dcf6ff2270ccb1d3c712d3b7fbfe'] }),
    name: text({ description: 'Its name.', examples: ['Rocket changelog'] }),
    status: oneOf(PUBLICATION_STATES, {
      description: 'On the public surface always `published`.',
      examples: ['published'],
    }),
  },
  { description: 'The changelog of the product.' },
);

const versionId = () =>
  text({
    description:
      'Identifier of the version, `ver_…`: opaque, and the same for as long as the version exists.',
    examples: ['ver_01a1dcf6ff237691a9ced31f0cd2217a'],
  });

const versionLabel = () =>
  text({ description: 'Label of the version, as the author wrote it.', examples: ['2.1.0'] });

const summaryFields = {
  id: versionId(),
  object: constant('changelog.version', { description: 'What this is.' }),
  version: versionLabel(),
  title: text({ description: 'Title.', examples: ['Faster launches'] }),
  status: oneOf(VERSION_STATES, {
    description: 'On the public surface always `published`.',
    examples: ['published'],
  }),
  publishedAt: textOrNull({
    description: 'UTC with milliseconds; null for a version that was never published.',
    examples: ['2026-05-04T09:00:00.000Z'],
  }),
  changeCount: integer({ description: 'How many changes the version has.', examples: [1] }),
};

export const VersionSummary = object(summaryFields, { description: 'A version in a list.' });

const changeFields = {
  id: text({ description: 'Identifier, `chg_…`.', examples: ['chg_01a1dcf6ff24704ca111a8d5bfcfe148'] }),
  object: constant('changelog.change', { description: 'What this is.' }),
  type: oneOf(CHANGE_TYPES, { description: 'What kind of change it is.', examples: ['added'] }),
  text: text({
    description: 'Markdown, as it was written.',
    examples: ['Launches can be *paused* between stages.'],
  }),
  html: text({
    description: 'The same, rendered; safe to put into a page.',
    examples: ['<p>Launches can be <em>paused</em> between stages.</p>'],
  }),
  breaking: boolean({ description: 'Users have to act on it.', examples: [false] }),
};

export const Change = object(changeFields, { description: 'One change of a version.' });

const versions = 'Versions that were never published come first; then the others, the newest first.';

export const ChangelogEnvelope = object(
  {
    data: object({
      object: constant('changelog', { description: 'What this is.' }),
      team: Team,
      product: Product,
      changelog: Changelog,
      versions: array(VersionSummary, { description: versions }),
    }),
  },
  { description: 'A changelog, with a summary of each version.' },
);

export const Version = object(
  {
    ...summaryFields,
    description: textOrNull({
      description: 'Introduction, in Markdown.',
      examples: ['Launches with many targets finish in about half the time.'],
    }),
    yanked: boolean({ description: 'Withdrawn after its release.', examples: [false] }),
    team: Team,
    product: Product,
    changelog: Changelog,
    changes: array(Change, { description: "In the author's order." }),
  },
  { description: 'A version with its changes.' },
);

export const VersionEnvelope = object({ data: Version }, { description: 'One version.' });

/** The changelog with `include=changes`. */
export const FullChangelogEnvelope = object(
  {
    data: object({
      object: constant('changelog', { description: 'What this is.' }),
      team: Team,
      product: Product,
      changelog: Changelog,
      versions: array(Version, { description: versions }),
    }),
  },
  { description: 'A changelog, with every version as the full record: the answer to `include=changes`.' },
);

export const RangeChange = object(
  { ...changeFields, version: versionLabel(), versionId: versionId() },
  { description: 'One change, and the version that it came with.' },
);

const RangeGroup = object(
  {
    type: oneOf(CHANGE_TYPES, { description: 'The type of all changes in the group.', examples: ['added'] }),
    changes: array(RangeChange, { description: 'Breaking changes first.' }),
  },
  { description: 'The changes of one type.' },
);

export const RangeEnvelope = object(
  {
    data: object({
      object: constant('changelog.range', { description: 'What this is.' }),
      team: Team,
      product: Product,
      changelog: Changelog,
      from: textOrNull({ description: 'As it was asked for; null if it was not.', examples: ['1.4.0'] }),
      to: textOrNull({ description: 'As it was asked for; null if it was not.', examples: ['2.1.0'] }),
      changeCount: integer({ description: 'How many changes all groups have.', examples: [1] }),
      groups: array(RangeGroup, { description: 'One for each type that there is a change of.' }),
    }),
  },
  { description: 'All changes between two versions, by type.' },
);

export const ErrorBody = object(
  {
    error: object({
      code: text({ description: 'What went wrong, for programs. It does not change.' }),
      message: text({ description: 'What went wrong and what to do, for people. It may change.' }),
    }),
  },
  { description: 'The body of every error.' },
);

/** What the description of the API calls them. Schemas without a name are described where they stand. */
export const NAMED_SCHEMAS: Readonly<Record<string, Schema<unknown>>> = {
  ChangelogEnvelope,
  FullChangelogEnvelope,
  VersionEnvelope,
  RangeEnvelope,
  Team,
  Product,
  Changelog,
  VersionSummary,
  Version,
  Change,
  RangeGroup,
  RangeChange,
};

export type ChangelogEnvelope = Static<typeof ChangelogEnvelope>;
export type VersionEnvelope = Static<typeof VersionEnvelope>;
export type FullChangelogEnvelope = Static<typeof FullChangelogEnvelope>;
export type RangeEnvelope = Static<typeof RangeEnvelope>;
export type Version = Static<typeof Version>;
export type RangeChange = Static<typeof RangeChange>;
export type VersionSummary = Static<typeof VersionSummary>;
export type Change = Static<typeof Change>;
