// Written by `npm run generate` from the schemas of the responses. Do not edit.

export type ChangeType = 'added' | 'changed' | 'deprecated' | 'removed' | 'fixed' | 'security' | 'other';

export type PublicationState = 'draft' | 'published' | 'locked';

export type VersionState = 'draft' | 'published';

export type ApiErrorCode =
  | 'bad_request'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'request_timeout'
  | 'uri_too_long'
  | 'rate_limited'
  | 'headers_too_large'
  | 'internal_error'
  | 'unavailable';

export interface Team {
  slug: string;
  name: string;
}

export interface Product {
  slug: string;
  name: string;
}

export interface Changelog {
  id: string;
  name: string;
  status: PublicationState;
}

export interface VersionSummary {
  id: string;
  object: 'changelog.version';
  version: string;
  title: string;
  status: VersionState;
  publishedAt: string | null;
  changeCount: number;
}

export interface Change {
  id: string;
  object: 'changelog.change';
  type: ChangeType;
  text: string;
  html: string;
  breaking: boolean;
}

export interface Version {
  id: string;
  object: 'changelog.version';
  version: string;
  title: string;
  status: VersionState;
  publishedAt: string | null;
  changeCount: number;
  description: string | null;
  yanked: boolean;
  team: Team;
  product: Product;
  changelog: Changelog;
  changes: Change[];
}

export interface FeedRecord {
  object: 'changelog';
  team: Team;
  product: Product;
  changelog: Changelog;
  versions: VersionSummary[];
}

export interface FullFeedRecord {
  object: 'changelog';
  team: Team;
  product: Product;
  changelog: Changelog;
  versions: Version[];
}

export interface RangeChange {
  id: string;
  object: 'changelog.change';
  type: ChangeType;
  text: string;
  html: string;
  breaking: boolean;
  version: string;
  versionId: string;
}

export interface RangeGroup {
  type: ChangeType;
  changes: RangeChange[];
}

export interface Range {
  object: 'changelog.range';
  team: Team;
  product: Product;
  changelog: Changelog;
  from: string | null;
  to: string | null;
  changeCount: number;
  groups: RangeGroup[];
}
