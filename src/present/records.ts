// The records of the API. `npm run generate` makes their types from `records.json`, their schemas, for clients and servers.
import type records from './records.json';

export type {
  Change,
  FeedRecord,
  LatestVersion,
  ProductListRecord,
  Range,
  TeamFeedRecord,
  Update,
  Version,
  VersionSummary,
} from '../../client/records.d.ts';

/** The name of a schema. */
export type RecordName = keyof typeof records;
