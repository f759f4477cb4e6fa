// Schemas of all response bodies, for their types and for the OpenAPI document.
import { CHANGE_TYPES, PUBLICATION_STATES, VERSION_STATES } from '../domain/model.ts';
import {
  array,
  boolean,
  constant,
  integer,
  object,
  oneOf,
  orNull,
  type Schema,
  type Static,
  text,
  textOrNull,
  timestamp,
  timestampOrNull,
} from '../domain/schema.ts';

const Team = object(
  {
    slug: text({ description: 'The team in URLs.', examples: ['acme'] }),
    name: text({ description: 'Its name.', examples: ['Acme'] }),
  },
  { description: 'The team that owns the product.' },
);

const Product = object(
  {
    slug: text({ description: 'The product in URLs.', examples: ['rocket'] }),
    name: text({ description: 'Its name.', examples: ['Rocket'] }),
  },
  { description: 'The product of the changelog.' },
);

const Changelog = object(
  {
    id: text({ description: 'Identifier, `cl_…`.', examples: ['cl_01a1dcf6ff2270ccb1d3c712d3b7fbfe'] }),
    name: text({ description: 'Its name.', examples: ['Rocket changelog'] }),
    status: oneOf(PUBLICATION_STATES, {
      description: 'Always `published` in the public API.',
      examples: ['published'],
    }),
  },
  { description: 'The changelog of the product.' },
);

const origin = { team: Team, product: Product, changelog: Changelog };

const versionId = () =>
  text({
    description: 'Identifier of the version, `ver_…`. It is opaque and never changes.',
    examples: ['ver_01a1dcf6ff237691a9ced31f0cd2217a'],
  });

const versionLabel = () =>
  text({ description: 'Label of the version, as written by the author.', examples: ['2.1.0'] });

const summaryFields = {
  id: versionId(),
  object: constant('changelog.version', { description: 'The type of the record.' }),
  version: versionLabel(),
  title: text({ description: 'Title.', examples: ['Faster launches'] }),
  status: oneOf(VERSION_STATES, {
    description: 'Always `published` in the public API.',
    examples: ['published'],
  }),
  publishedAt: timestampOrNull({
    description: 'UTC with milliseconds; null if the version was never published.',
    examples: ['2026-05-04T09:00:00.000Z'],
  }),
  changeCount: integer({ description: 'Number of changes in the version.', examples: [1] }),
};

export const VersionSummary = object(summaryFields, { description: 'A version in a list.' });

const changeFields = {
  id: text({ description: 'Identifier, `chg_…`.', examples: ['chg_01a1dcf6ff24704ca111a8d5bfcfe148'] }),
  object: constant('changelog.change', { description: 'The type of the record.' }),
  type: oneOf(CHANGE_TYPES, { description: 'The type of the change.', examples: ['added'] }),
  text: text({
    description: 'Markdown, as written by the author.',
    examples: ['Launches can be *paused* between stages.'],
  }),
  html: text({
    description: 'The same as HTML that is safe to embed in a page.',
    examples: ['<p>Launches can be <em>paused</em> between stages.</p>'],
  }),
  breaking: boolean({ description: 'Whether users have to act on it.', examples: [false] }),
};

export const Change = object(changeFields, { description: 'One change of a version.' });

const changelogEnvelope = <T>(version: Schema<T>, description: string) =>
  object(
    {
      data: object({
        object: constant('changelog', { description: 'The type of the record.' }),
        ...origin,
        versions: array(version, {
          description: 'Versions without `publishedAt` come first, then the others, newest first.',
        }),
      }),
    },
    { description },
  );

export const ChangelogEnvelope = changelogEnvelope(
  VersionSummary,
  'A changelog, with a summary of each version.',
);

export const Version = object(
  {
    ...summaryFields,
    description: textOrNull({
      description: 'Introduction, in Markdown.',
      examples: ['Launches with many targets finish in about half the time.'],
    }),
    yanked: boolean({ description: 'Whether it was withdrawn after its release.', examples: [false] }),
    updatedAt: timestamp({
      description:
        'When a field of the version itself, or one of its changes, last changed. UTC with milliseconds.',
      examples: ['2026-05-04T09:00:00.000Z'],
    }),
    ...origin,
    changes: array(Change, { description: "In the author's order." }),
  },
  { description: 'A version with its changes.' },
);

export const VersionEnvelope = object({ data: Version }, { description: 'One version.' });

export const FullChangelogEnvelope = changelogEnvelope(
  Version,
  'A changelog, with the full record of each version: the response to `include=changes`.',
);

export const RangeChange = object(
  { ...changeFields, version: versionLabel(), versionId: versionId() },
  { description: 'One change with its version.' },
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
      object: constant('changelog.range', { description: 'The type of the record.' }),
      ...origin,
      from: textOrNull({ description: 'As in the request; null if not given.', examples: ['1.4.0'] }),
      to: textOrNull({ description: 'As in the request; null if not given.', examples: ['2.1.0'] }),
      changeCount: integer({ description: 'Number of changes in all groups.', examples: [1] }),
      groups: array(RangeGroup, { description: 'One for each type that has changes.' }),
    }),
  },
  { description: 'All changes between two versions, by type.' },
);

export const InstalledVersion = object(
  {
    version: text({ description: 'As in the request.', examples: ['1.4.0'] }),
    known: boolean({ description: 'Whether the changelog has a version with this label.', examples: [true] }),
    yanked: boolean({ description: 'Whether that version was withdrawn.', examples: [false] }),
  },
  { description: 'The version that an update check starts from.' },
);

export const UpdateEnvelope = object(
  {
    data: object({
      object: constant('changelog.update', { description: 'The type of the record.' }),
      from: orNull(InstalledVersion, { description: 'The version in the request; null if not given.' }),
      updateAvailable: boolean({
        description: 'Whether `latest` is newer than `from`; false without `from`.',
        examples: [true],
      }),
      latest: orNull(VersionSummary, { description: 'The version to update to; null if none is published.' }),
      versionCount: integer({
        description: 'Number of versions after `from`, up to and including `latest`.',
        examples: [4],
      }),
      changeCount: integer({ description: 'Number of changes in them.', examples: [14] }),
      security: boolean({ description: 'Whether one of these is of type `security`.', examples: [true] }),
      breaking: boolean({ description: 'Whether users have to act on one of them.', examples: [true] }),
      url: text({
        description: 'The page that shows what is new.',
        examples: ['https://changes.example.com/changelog/acme/rocket/changes?from=1.4.0&to=2.1.0'],
      }),
    }),
  },
  { description: 'Whether there is a newer version, and what it brings.' },
);

export const ErrorBody = object(
  {
    error: object({
      code: text({ description: 'What went wrong, for programs. Codes do not change.' }),
      message: text({ description: 'What went wrong and what to do, for people. Messages may change.' }),
    }),
  },
  { description: 'The body of every error.' },
);

/** Their names in the OpenAPI document. Schemas without a name are inlined. */
export const NAMED_SCHEMAS: Readonly<Record<string, Schema<unknown>>> = {
  ChangelogEnvelope,
  FullChangelogEnvelope,
  VersionEnvelope,
  RangeEnvelope,
  UpdateEnvelope,
  Team,
  Product,
  Changelog,
  VersionSummary,
  Version,
  Change,
  RangeGroup,
  RangeChange,
  InstalledVersion,
};

export type ChangelogEnvelope = Static<typeof ChangelogEnvelope>;
export type VersionEnvelope = Static<typeof VersionEnvelope>;
export type FullChangelogEnvelope = Static<typeof FullChangelogEnvelope>;
export type RangeEnvelope = Static<typeof RangeEnvelope>;
export type UpdateEnvelope = Static<typeof UpdateEnvelope>;
export type Version = Static<typeof Version>;
export type RangeChange = Static<typeof RangeChange>;
export type VersionSummary = Static<typeof VersionSummary>;
export type Change = Static<typeof Change>;
