// What both engines have in common: the versions of each team in one order, whatever their products (R64). Public and hidden
// ones are apart, so that a public read never visits a hidden row (R9), and so are prereleases.

export const COLUMNS = 'team_id, is_public, is_prerelease, sort_key, version_id, changelog_id';
export const KEY = 'team_id, is_public, is_prerelease, sort_key desc, version_id';

export const columns = (
  text: string,
) => `team_id integer not null, is_public integer not null, is_prerelease integer not null,
  sort_key ${text} not null, version_id ${text} not null, changelog_id ${text} not null`;

/** Pages of a timeline show one state of the team, so its last write is looked up for each. */
export const TOUCHES_OF_TEAM = [
  'create index touches_of_team_since on touches (team_id, revision)',
  'create index touches_public_of_team_since on touches (team_id, public_revision)',
];
