import { POSTGRES as FIRST_POSTGRES } from './0001-first-schema/postgres.ts';
import { SQLITE as FIRST_SQLITE } from './0001-first-schema/sqlite.ts';
import { POSTGRES as COUNTS_POSTGRES } from './0002-breaking-and-counts/postgres.ts';
import { SQLITE as COUNTS_SQLITE } from './0002-breaking-and-counts/sqlite.ts';
import { POSTGRES as LINKS_POSTGRES, SQLITE as LINKS_SQLITE } from './0003-compare-links-and-descriptions.ts';
import { POSTGRES as IMAGES_POSTGRES, SQLITE as IMAGES_SQLITE } from './0004-repository-and-images.ts';
import { POSTGRES as FACETS_POSTGRES, SQLITE as FACETS_SQLITE } from './0005-facets.ts';
import { POSTGRES as SEARCH_POSTGRES, SQLITE as SEARCH_SQLITE } from './0006-search-by-beginnings.ts';
import { POSTGRES as DOMAINS_POSTGRES, SQLITE as DOMAINS_SQLITE } from './0007-domains.ts';
import { POSTGRES as TIMELINE_POSTGRES } from './0008-timeline/postgres.ts';
import { SQLITE as TIMELINE_SQLITE } from './0008-timeline/sqlite.ts';
import { POSTGRES as HOOKS_POSTGRES, SQLITE as HOOKS_SQLITE } from './0009-hooks.ts';
import { POSTGRES as EXPIRING_POSTGRES, SQLITE as EXPIRING_SQLITE } from './0010-keys-that-expire.ts';

/**
 * A schema step: the statements for each engine, in order. A released step never changes, because users' databases were
 * created with it; a change to the schema is a new step. So a step imports nothing but files of its own and of earlier
 * steps, which never change either.
 */
export type Step = Readonly<{ name: string; sqlite: readonly string[]; postgres: readonly string[] }>;

export const STEPS: readonly Step[] = [
  { name: '0001_first_schema', sqlite: FIRST_SQLITE, postgres: FIRST_POSTGRES },
  { name: '0002_breaking_and_counts', sqlite: COUNTS_SQLITE, postgres: COUNTS_POSTGRES },
  { name: '0003_compare_links_and_descriptions', sqlite: LINKS_SQLITE, postgres: LINKS_POSTGRES },
  { name: '0004_repository_and_images', sqlite: IMAGES_SQLITE, postgres: IMAGES_POSTGRES },
  { name: '0005_facets', sqlite: FACETS_SQLITE, postgres: FACETS_POSTGRES },
  { name: '0006_search_by_beginnings', sqlite: SEARCH_SQLITE, postgres: SEARCH_POSTGRES },
  { name: '0007_domains', sqlite: DOMAINS_SQLITE, postgres: DOMAINS_POSTGRES },
  { name: '0008_timeline', sqlite: TIMELINE_SQLITE, postgres: TIMELINE_POSTGRES },
  { name: '0009_hooks', sqlite: HOOKS_SQLITE, postgres: HOOKS_POSTGRES },
  { name: '0010_keys_that_expire', sqlite: EXPIRING_SQLITE, postgres: EXPIRING_POSTGRES },
];
