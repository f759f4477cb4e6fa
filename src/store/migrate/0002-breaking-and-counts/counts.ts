// What both engines have in common: sums of the versions in a range, which reads find without counting each (R55).

/**
 * A list has the versions of a changelog in one state and of one kind. A row of level 0 is a version; of level 1, a group of
 * consecutive ones from `place` on; of level 2, a group of such groups. The first group of a list begins at ''.
 */
export const countsTable = (text: string) => `create table version_counts (
  changelog_id ${text} not null, status ${text} not null, kind integer not null, level integer not null,
  place ${text} not null, versions integer not null, changes integer not null, security integer not null,
  breaking integer not null, primary key (changelog_id, status, kind, level, place))`;

/** 0: a version number. 1: one of a prerelease. 2: any other label; these versions are in the order of their dates. */
export const kindOf = (facts: string) =>
  `case when ${facts}.version_order is null then 2 else ${facts}.is_prerelease end`;

/** A space sorts below any character of a version number or date, and \`!\` above it: ranges may end with either. */
export const placeOf = (facts: string) =>
  `coalesce(${facts}.version_order, ${facts}.sort_key) || ' ' || ${facts}.version_id`;

/** The versions of a group of level 1 and 2 above which it is split. A group has about half as many rows of the level below. */
export const SPLIT_ABOVE = { 1: 128, 2: 8192 };
