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

const Change = record({
  id: text(),
  object: constant('changelog.change'),
  type: oneOf(CHANGE_TYPES),
  text: text(),
  html: text(),
  breaking: truth(),
});

export const ChangelogEnvelope = record({
  data: record({
    object: constant('changelog'),
    team: Team,
    product: Product,
    changelog: Changelog,
    versions: list(VersionSummary),
  }),
});

export const VersionEnvelope = record({
  data: record({
    ...summaryFields,
    description: textOrNull(),
    yanked: truth(),
    team: Team,
    product: Product,
    changelog: Changelog,
    changes: list(Change),
  }),
});

export type ChangelogEnvelope = Static<typeof ChangelogEnvelope>;
export type VersionEnvelope = Static<typeof VersionEnvelope>;
export type VersionSummary = Static<typeof VersionSummary>;
export type Change = Static<typeof Change>;
