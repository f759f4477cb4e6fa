import type { Step } from './step.ts';

/**
 * An index with everything that a feed shows of a version, so that a feed reads neighbouring entries of an index instead
 * of rows all over a large table. It takes the place of `versions_by_state_in_order`. PostgreSQL has no room for long texts
 * in an index: versions with such texts are in an index of their own, which tells that there are any, and their feed is
 * read by the index without texts. The old index goes last, because from then on readers wait for the end of the step.
 */
export const LISTED_VERSIONS: Step = {
  name: '0011_listed_versions',
  sqlite: [
    `create index versions_listed on versions (changelog_id, status, published_at desc, id, label, title, change_count)`,
    `drop index versions_by_state_in_order`,
  ],
  postgres: [
    `create index versions_listed on versions (changelog_id, status, published_at desc, id)
    include (label, title, change_count)
    where octet_length(changelog_id) + octet_length(id) + octet_length(label) + octet_length(title) <= 2000`,
    `create index versions_too_long on versions (changelog_id, status)
    where octet_length(changelog_id) + octet_length(id) + octet_length(label) + octet_length(title) > 2000`,
    `create index versions_by_state_and_date on versions (changelog_id, status, published_at desc, id)`,
    `drop index versions_by_state_in_order`,
    `alter index versions_by_state_and_date rename to versions_by_state_in_order`,
  ],
};
