// What goes out, as schemas: the types of the records, and what the server serialises with.
import { CHANGE_TYPES, PUBLICATION_STATES, VERSION_STATES } from '../domain/model.ts';
import {
  constant,
  list,
  oneOf,
  record,
  type Static,
  text,
  textOrNull,
  truth,
  wholeNumber,
} from '../domain/schema.ts';

const Team = record({ slug: text(), name: text() });
const Product = record({ slug: text(), name: text() });
const Changelog = record({ id: text(), name: text(), status: oneOf(PUBLICATION_STATES) });

const summaryFields = {
  id: text(),
  object: constant('changelog.version'),
  version: text(),
  title: text(),
  status: oneOf(VERSION_STATES),
  publishedAt: textOrNull(),
  changeCount: wholeNumber(),
};

const VersionSummary = record(summaryFields);

const changeFields = {
  id: text(),
  object: constant('changelog.change'),
  type: oneOf(CHANGE_TYPES),
  text: text(),
  html: text(),
  breaking: truth(),
};

const Change = record(changeFields);

export const ChangelogEnvelope = record({
  data: record({
    object: constant('changelog'),
    team: Team,
    product: Product,
    changelog: Changelog,
    versions: list(VersionSummary),
  }),
});

const Version = record({
  ...summaryFields,
  description: textOrNull(),
  yanked: truth(),
  team: Team,
  product: Product,
  changelog: Changelog,
  changes: list(Change),
});

export const VersionEnvelope = record({ data: Version });

/** The changelog with `include=changes`. */
export const FullChangelogEnvelope = record({
  data: record({
    object: constant('changelog'),
    team: Team,
    product: Product,
    changelog: Changelog,
    versions: list(Version),
  }),
});

const RangeChange = record({ ...changeFields, version: text(), versionId: text() });

export const RangeEnvelope = record({
  data: record({
    object: constant('changelog.range'),
    team: Team,
    product: Product,
    changelog: Changelog,
    from: textOrNull(),
    to: textOrNull(),
    changeCount: wholeNumber(),
    groups: list(record({ type: oneOf(CHANGE_TYPES), changes: list(RangeChange) })),
  }),
});

export const ErrorBody = record({
  error: record({ code: text(), message: text() }),
});

export type ChangelogEnvelope = Static<typeof ChangelogEnvelope>;
export type VersionEnvelope = Static<typeof VersionEnvelope>;
export type FullChangelogEnvelope = Static<typeof FullChangelogEnvelope>;
export type RangeEnvelope = Static<typeof RangeEnvelope>;
export type Version = Static<typeof Version>;
export type RangeChange = Static<typeof RangeChange>;
export type VersionSummary = Static<typeof VersionSummary>;
export type Change = Static<typeof Change>;
