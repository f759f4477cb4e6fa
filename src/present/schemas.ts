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
  record,
  type Schema,
  type Static,
  text,
  textOrNull,
  timestamp,
  timestampOrNull,
  withOptional,
} from '../domain/schema.ts';

const Team = record('The team that owns the product.', {
  slug: text('The team in URLs.', 'acme'),
  name: text('Its name.', 'Acme'),
});

const Product = record('The product of the changelog.', {
  slug: text('The product in URLs.', 'rocket'),
  name: text('Its name.', 'Rocket'),
});

const Changelog = record('The changelog of the product.', {
  id: text('Identifier, `cl_…`.', 'cl_01a1dcf6ff2270ccb1d3c712d3b7fbfe'),
  name: text('Its name.', 'Rocket changelog'),
  status: oneOf(PUBLICATION_STATES, 'Always `published` in the public API.', 'published'),
});

const origin = { team: Team, product: Product, changelog: Changelog };

const versionId = () =>
  text(
    'Identifier of the version, `ver_…`. It is opaque and never changes.',
    'ver_01a1dcf6ff237691a9ced31f0cd2217a',
  );

const versionLabel = () => text('Label of the version, as written by the author.', '2.1.0');

const summaryFields = {
  id: versionId(),
  object: constant('changelog.version', 'The type of the record.'),
  version: versionLabel(),
  title: text('Title.', 'Faster launches'),
  status: oneOf(VERSION_STATES, 'Always `published` in the public API.', 'published'),
  publishedAt: timestampOrNull(
    'UTC with milliseconds; null if the version was never published.',
    '2026-05-04T09:00:00.000Z',
  ),
  changeCount: integer('Number of changes in the version.', 1),
};

export const VersionSummary = record('A version in a list.', summaryFields);

const yanked = () => boolean('Whether it was withdrawn after its release.', false);

export const LatestVersion = record('The version to use, a yanked one only if all are.', {
  ...summaryFields,
  yanked: yanked(),
});

const description = () =>
  textOrNull('Introduction, in Markdown.', 'Launches with many targets finish in about *half* the time.');

const descriptionHtml = () =>
  textOrNull(
    'The same as HTML that is safe to embed in a page; null if there is none.',
    '<p>Launches with many targets finish in about <em>half</em> the time.</p>',
  );

const changeFields = {
  id: text('Identifier, `chg_…`.', 'chg_01a1dcf6ff24704ca111a8d5bfcfe148'),
  object: constant('changelog.change', 'The type of the record.'),
  type: oneOf(CHANGE_TYPES, 'The type of the change.', 'added'),
  text: text('Markdown, as written by the author.', 'Launches can be *paused* between stages.'),
  html: text(
    'The same as HTML that is safe to embed in a page.',
    '<p>Launches can be <em>paused</em> between stages.</p>',
  ),
  breaking: boolean('Whether users have to act on it.', false),
};

export const Change = record('One change of a version.', changeFields);

const changelogEnvelope = <T>(version: Schema<T>, description: string) =>
  record(description, {
    data: object({
      object: constant('changelog', 'The type of the record.'),
      ...origin,
      versions: array(version, 'Versions without `publishedAt` come first, then the others, newest first.'),
    }),
  });

export const ChangelogEnvelope = changelogEnvelope(
  VersionSummary,
  'A changelog, with a summary of each version.',
);

const VersionLinks = record('URLs of the version. Absent if it has none.', {
  compare: text(
    'All changes to the code since the version before.',
    'https://rocket.example/compare/v2.0.0...v2.1.0',
  ),
});

const FullVersion = record('A version with its changes.', {
  ...summaryFields,
  description: description(),
  descriptionHtml: descriptionHtml(),
  yanked: yanked(),
  updatedAt: timestamp(
    'When a field of the version itself, or one of its changes, last changed. UTC with milliseconds.',
    '2026-05-04T09:00:00.000Z',
  ),
  links: VersionLinks,
  image: text(
    'URL of its picture, with https: or data:. Absent if it has none.',
    'https://rocket.example/images/2.1.0.png',
  ),
  ...origin,
  changes: array(Change, "In the author's order."),
});

/** A version without links or image has no such field, as before there were any. */
export const Version = withOptional(FullVersion, 'links', 'image');

export const VersionEnvelope = record('One version.', { data: Version });

export const FullChangelogEnvelope = changelogEnvelope(
  Version,
  'A changelog, with the full record of each version: the response to `include=changes`.',
);

export const RangeChange = record('One change with its version.', {
  ...changeFields,
  version: versionLabel(),
  versionId: versionId(),
});

const RangeGroup = record('The changes of one type.', {
  type: oneOf(CHANGE_TYPES, 'The type of all changes in the group.', 'added'),
  changes: array(RangeChange, 'Breaking changes first.'),
});

export const RangeVersion = record('One version of a range, with what was written about it as a whole.', {
  id: versionId(),
  version: versionLabel(),
  title: summaryFields.title,
  publishedAt: summaryFields.publishedAt,
  yanked: yanked(),
  description: description(),
  descriptionHtml: descriptionHtml(),
});

export const RangeEnvelope = record('All changes between two versions, by type.', {
  data: object({
    object: constant('changelog.range', 'The type of the record.'),
    ...origin,
    from: textOrNull('As in the request; null if not given.', '1.4.0'),
    to: textOrNull('As in the request; null if not given.', '2.1.0'),
    changeCount: integer('Number of changes in all groups.', 1),
    groups: array(RangeGroup, 'One for each type that has changes.'),
    versions: array(RangeVersion, 'All versions of the range, newest first, also those without changes.'),
  }),
});

export const InstalledVersion = record('The version that an update check starts from.', {
  version: text('As in the request.', '1.4.0'),
  known: boolean('Whether the changelog has a version with this label.', true),
  yanked: boolean('Whether that version was withdrawn.', false),
});

export const UpdateEnvelope = record('Whether there is a newer version, and what it brings.', {
  data: object({
    object: constant('changelog.update', 'The type of the record.'),
    from: orNull(InstalledVersion, 'The version in the request; null if not given.'),
    updateAvailable: boolean('Whether `latest` is newer than `from`; false without `from`.', true),
    latest: orNull(LatestVersion, 'The version to update to; null if none is published.'),
    versionCount: integer('Number of versions after `from`, up to and including `latest`.', 4),
    changeCount: integer('Number of changes in them.', 14),
    security: boolean('Whether one of these is of type `security`.', true),
    breaking: boolean('Whether users have to act on one of them.', true),
    url: text(
      'The page that shows what is new.',
      'https://changes.example.com/changelog/acme/rocket/changes?from=1.4.0&to=2.1.0',
    ),
  }),
});

/** The full record has the product too. */
export const TimelineVersion = record('A version among those of other products.', {
  ...summaryFields,
  product: Product,
});

const timelineEnvelope = <T>(version: Schema<T>, description: string) =>
  record(description, {
    data: object({
      object: constant('team.timeline', 'The type of the record.'),
      team: Team,
      versions: array(version, 'Versions without `publishedAt` come first, then the others, newest first.'),
    }),
  });

export const TimelineEnvelope = timelineEnvelope(
  TimelineVersion,
  'The versions of all products of a team, with a summary of each.',
);

export const FullTimelineEnvelope = timelineEnvelope(
  Version,
  'The versions of all products of a team, with the full record of each: the response to `include=changes`.',
);

const AnyListedProduct = record('A product in a list.', {
  object: constant('product', 'The type of the record.'),
  slug: text('The product in URLs.', 'rocket'),
  name: text('Its name.', 'Rocket'),
  url: text(
    'The page of its changelog. Absent in the authenticated API.',
    'https://changes.example.com/changelog/acme/rocket',
  ),
  language: text('The language of its changelog (BCP 47).', 'en'),
  latest: orNull(LatestVersion, 'Its newest published version; null if it has none.'),
});

export const ListedProduct = withOptional(AnyListedProduct, 'url');

export const ProductsEnvelope = record('The products of a team.', {
  data: object({
    object: constant('team.products', 'The type of the record.'),
    team: Team,
    products: array(ListedProduct, 'Ordered by slug.'),
  }),
});

export const ErrorBody = record('The body of every error.', {
  error: object({
    code: text('What went wrong, for programs. Codes do not change.'),
    message: text('What went wrong and what to do, for people. Messages may change.'),
  }),
});

/** Their names in the OpenAPI document. Schemas without a name are inlined. */
export const NAMED_SCHEMAS: Readonly<Record<string, Schema<unknown>>> = {
  ChangelogEnvelope,
  FullChangelogEnvelope,
  VersionEnvelope,
  RangeEnvelope,
  UpdateEnvelope,
  TimelineEnvelope,
  FullTimelineEnvelope,
  ProductsEnvelope,
  Team,
  Product,
  Changelog,
  VersionSummary,
  LatestVersion,
  Version,
  VersionLinks,
  Change,
  RangeGroup,
  RangeChange,
  RangeVersion,
  InstalledVersion,
  TimelineVersion,
  ListedProduct,
};

export type ChangelogEnvelope = Static<typeof ChangelogEnvelope>;
export type VersionEnvelope = Static<typeof VersionEnvelope>;
export type FullChangelogEnvelope = Static<typeof FullChangelogEnvelope>;
export type RangeEnvelope = Static<typeof RangeEnvelope>;
export type UpdateEnvelope = Static<typeof UpdateEnvelope>;
export type TimelineEnvelope = Static<typeof TimelineEnvelope>;
export type TimelineVersion = Static<typeof TimelineVersion>;
export type ProductsEnvelope = Static<typeof ProductsEnvelope>;
export type Version = Static<typeof Version>;
export type RangeChange = Static<typeof RangeChange>;
export type RangeVersion = Static<typeof RangeVersion>;
export type VersionSummary = Static<typeof VersionSummary>;
export type LatestVersion = Static<typeof LatestVersion>;
export type Change = Static<typeof Change>;
