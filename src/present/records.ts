// The records of the API. `npm run generate` makes their types from `records.json`, their schemas, for clients and servers.
import type {
  FeedRecord,
  ProductListRecord,
  Range,
  TeamFeedRecord,
  Update,
  Version,
} from '../../client/records.d.ts';
import type records from './records.json';

export type {
  Change,
  LatestVersion,
  RangeChange,
  RangeVersion,
  TeamVersionSummary as TimelineVersion,
  Version,
  VersionSummary,
} from '../../client/records.d.ts';

/** The name of a schema. */
export type RecordName = keyof typeof records;

type Envelope<T> = { data: T };
export type ChangelogEnvelope = Envelope<FeedRecord>;
export type VersionEnvelope = Envelope<Version>;
export type RangeEnvelope = Envelope<Range>;
export type UpdateEnvelope = Envelope<Update>;
export type TimelineEnvelope = Envelope<TeamFeedRecord>;
export type ProductsEnvelope = Envelope<ProductListRecord>;
