// What `init` prints: what it set up, the commands to run next, and how to change what it chose.
import { COMMAND } from '../../command-name.ts';
import type { Config } from '../../config.ts';
import { baseUrlFor, listenUrl } from '../../http/urls.ts';
import { serverLinks } from '../../present/links.ts';
import { rerunCommand } from '../reading-options.ts';
import { RERUN_TITLE } from '../report/import-report.ts';
import type { Paint } from '../terminal/colours.ts';
import { escapeName } from '../terminal/plain.ts';
import { shellWord } from '../terminal/shell-word.ts';
import { DATABASE_SETTING, type Database, DOT_ENV } from './database.ts';
import { KEY_FILE, LISTING_SETTING, type SetUp } from './set-up.ts';

/** The file that is imported if it is there. */
export const CHANGELOG_FILE = 'CHANGELOG.md';

/** The steps after `init`, in order. */
const TITLES = {
  serve: 'Serve it:',
  page: 'Then anyone can read it:',
  public: 'The same as JSON:',
  feed: 'Its feed:',
  withKey: 'With the key, drafts included:',
  makeKey: 'To create a key that reads drafts as well:',
  import: RERUN_TITLE,
  docs: 'The API reference, once it is served:',
};

/** A step is null where it does not apply. */
export type NextSteps = Readonly<Record<keyof typeof TITLES, string | null>>;

export function nextSteps(
  config: Config,
  { path: { team, product }, team: { visibility, plan }, items }: SetUp,
  file = CHANGELOG_FILE,
): NextSteps {
  const isPublic = visibility === 'public';
  const isNew = Object.fromEntries(items.map((item) => [item.kind, item.isNew]));
  // An existing key file cannot belong to a new team.
  const hasKey = isNew.key !== undefined && (isNew.key || !isNew.team);
  const baseUrl = baseUrlFor(config, listenUrl(null, config));
  const basic = config.gate === null ? '' : ` -u ${shellWord(`${config.gate.username}:PASSWORD`)}`;
  const header = config.gate === null ? 'Authorization: Bearer' : 'X-API-Key:';
  const path = `teams/${team}/products/${product}/changelog`;
  const { urlsOf } = serverLinks(baseUrl);
  return {
    serve: `${COMMAND} serve`,
    page: isPublic ? urlsOf({ teamSlug: team, productSlug: product, domain: null }).changelog : null,
    public: isPublic ? `curl${basic} ${baseUrl}/api/v1/public/${path}` : null,
    feed: isPublic ? `${baseUrl}/api/v1/public/${path}/feed.atom` : null,
    // `printf` is built into the shell, so the key does not appear in the list of processes.
    withKey: hasKey
      ? `printf '${header} %s' "$(cat ${KEY_FILE})" | curl${basic} -H @- ${baseUrl}/api/v1/${path}`
      : null,
    makeKey:
      plan === 'paid' && !hasKey ? `${COMMAND} key create ${team} --kind FULL --out ${team}.key` : null,
    import: rerunCommand(['import', `${team}/${product}`, file], { format: 'auto' }),
    docs: `${baseUrl}/docs`,
  };
}

export function formatSetUp({ items, imported }: SetUp, steps: NextSteps, paint: Paint): string {
  const made = items.map(({ isNew, kind, name }) => {
    const what = escapeName(kind === 'file' ? name : `${kind} ${name}`);
    return isNew ? `+ ${what}` : `= ${what} (already exists)`;
  });
  const next = Object.entries(TITLES).flatMap(([name, title]) => {
    const step = steps[name as keyof NextSteps];
    return step === null ? [] : [title, `  ${step}`];
  });
  const lines = imported === null ? [] : [imported.report.formatLines(imported.summary, paint)];
  return [...made, ...lines, '', ...next].join('\n');
}

/** What was chosen without a question, and how to change it. */
export function notesOn({ path, team, items, repository, settings }: SetUp, database: Database): string[] {
  const slug = path.team;
  const { url, source, ignored, isWritten, isOverridden } = database;
  const state = (name: string) => items.find((item) => item.name === name)?.isNew;
  const isNewTeam = items.some(({ kind, isNew }) => kind === 'team' && isNew);
  const notes: [applies: boolean, note: string][] = [
    [
      isNewTeam,
      `The team ${slug} is ${team.visibility}; \`${COMMAND} team set ${slug} --visibility ${team.visibility === 'public' ? 'private' : 'public'}\` changes that, and --name what it is called.`,
    ],
    [
      !isNewTeam,
      `The team ${slug} already exists and is ${team.visibility}; \`${COMMAND} team set\` changes that.`,
    ],
    [
      state(KEY_FILE) !== true,
      team.plan === 'paid'
        ? `No key was created, because ${KEY_FILE} already exists; \`${COMMAND} key create ${slug} --kind FULL\` creates one.`
        : `No key was created, because the team is on the ${team.plan} plan; \`${COMMAND} team set ${slug} --plan paid\` changes that.`,
    ],
    [
      state(KEY_FILE) === true && !items.some(({ name, isNew }) => isNew && name.endsWith('.gitignore')),
      `${KEY_FILE} is a secret, and the .gitignore next to it was not changed; it must ignore it.`,
    ],
    [
      ignored !== null,
      `${ignored?.name} is set in ${ignored?.place}, perhaps for an application, and is not used. To use that database, set ${DATABASE_SETTING} to it.`,
    ],
    [
      !isWritten && source?.place === 'the environment',
      `${source?.name} is set in the environment and was not written to a file; later commands need it there as well.`,
    ],
    [
      repository !== null,
      `On its page, #123, @name and commits lead to ${repository}, the git remote; \`${COMMAND} product set ${slug}/${path.product} --repository URL\` changes that.`,
    ],
    [
      settings.length > 0 && state(DOT_ENV) === false,
      `Added ${settings.join(' and ')} to ${DOT_ENV}, which existed.`,
    ],
    [
      settings.includes(LISTING_SETTING),
      `With ${LISTING_SETTING}=all in ${DOT_ENV}, / shows every public product; set it to team or none if it should not.`,
    ],
    [isOverridden, overrides(url)],
  ];
  return notes.filter(([applies]) => applies).map(([, note]) => note);
}

export function overrides(url: string): string {
  return `Before you run other commands: DATABASE_URL in the environment wins over ${DOT_ENV}, so set ${DATABASE_SETTING}=${url} there.`;
}
