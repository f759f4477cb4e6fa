// `version_facts` on SQLite. Only the schema has the statement that computes them: the triggers run it for one version,
// and bulk writes for many.

const STATEMENT = /insert into version_facts .*(?=; end$)/s;
const ONE_VERSION = 'v.id = new.id';

/** Takes the statement from the trigger `versions_facts_on_insert`, for the versions `v` that meet another condition. */
export function factsSql(trigger: string, condition: string): string {
  const [statement] = STATEMENT.exec(trigger) ?? [];
  if (!statement?.includes(ONE_VERSION)) throw new Error('a trigger is missing: the schema is damaged');
  return statement.replace(ONE_VERSION, condition);
}
