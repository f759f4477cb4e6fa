// What `init` prints: the items it set up, the commands to run next, and notes.
import { COMMAND } from '../../command-name.ts';
import type { Config } from '../../config.ts';
import { hasPassword } from '../../domain/access/server-url.ts';
import { baseUrlFor, listenUrl } from '../../http/urls.ts';
import { serverLinks } from '../../present/links.ts';
import type { Cli } from '../cli.ts';
import { rerunCommand } from '../reading-options.ts';
import { RERUN_TITLE } from '../report/import-report.ts';
import { escapeName } from '../terminal/plain.ts';
import { shellWord } from '../terminal/shell-word.ts';
import {
  type CurrentSetup,
  DATABASE_SETTING,
  DOT_ENV,
  LISTING_SETTING,
  settingsFor,
} from './current-setup.ts';
import { isCommitted, isTrackedByGit } from './git.ts';
import type { InitAnswers } from './questions.ts';
import { KEY_FILE, type SetUpResult, type SetupItem } from './set-up.ts';

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
type NextSteps = Readonly<Record<keyof typeof TITLES, string | null>>;

type Where = Readonly<{
  team: string;
  product: string;
  isPublic: boolean;
  hasKey: boolean;
  mayHaveKey: boolean;
  file: string;
}>;

export function nextSteps(
  config: Config,
  { team, product, isPublic, hasKey, mayHaveKey, file }: Where,
): NextSteps {
  const baseUrl = baseUrlFor(config, listenUrl(null, config));
  const basic = config.gate === null ? '' : ` -u ${shellWord(`${config.gate.username}:PASSWORD`)}`;
  const header = config.gate === null ? 'Authorization: Bearer' : 'X-API-Key:';
  const path = `teams/${team}/products/${product}/changelog`;
  return {
    serve: `${COMMAND} serve`,
    page: isPublic
      ? serverLinks(baseUrl).urlsOf({ teamSlug: team, productSlug: product, domain: null }).changelog
      : null,
    public: isPublic ? `curl${basic} ${baseUrl}/api/v1/public/${path}` : null,
    feed: isPublic ? `${baseUrl}/api/v1/public/${path}/feed.atom` : null,
    // `printf` is built into the shell, so the key does not appear in the list of processes.
    withKey: hasKey
      ? `printf '${header} %s' "$(cat ${KEY_FILE})" | curl${basic} -H @- ${baseUrl}/api/v1/${path}`
      : null,
    makeKey: mayHaveKey && !hasKey ? `${COMMAND} key create ${team} --kind FULL --out ${team}.key` : null,
    import: rerunCommand(['import', `${team}/${product}`, file], { format: 'auto' }),
    docs: `${baseUrl}/docs`,
  };
}

export function formatItems(items: readonly SetupItem[]): string {
  return items
    .map(({ isNew, kind, name }) => {
      const what = escapeName(kind === 'file' ? name : `${kind} ${name}`);
      return isNew ? `+ ${what}` : `= ${what} (already exists)`;
    })
    .join('\n');
}

export function formatNextSteps(steps: NextSteps): string {
  const names = Object.keys(TITLES) as (keyof typeof TITLES)[];
  return names.flatMap((name) => (steps[name] === null ? [] : [TITLES[name], `  ${steps[name]}`])).join('\n');
}

/** Remarks on a set-up that succeeded. */
export function notesOn(
  { folder }: Cli,
  { team: { slug }, product, visibility, databaseUrl, writesSettings }: InitAnswers,
  current: CurrentSetup,
  { items, team, repository, isIgnored }: SetUpResult,
): string[] {
  const { source, hasDotEnv } = current;
  const writesPassword = writesSettings && hasPassword(databaseUrl);
  const isFound = source !== null && source.text === databaseUrl;
  const isNew = (wanted: string) => items.some(({ isNew, name }) => isNew && name === wanted);
  const notes: [applies: boolean, note: string][] = [
    [
      team.visibility !== visibility,
      `The team ${slug} already exists and is ${team.visibility}; \`${COMMAND} team set ${slug} --visibility ${visibility}\` changes that.`,
    ],
    [
      !isNew(KEY_FILE),
      team.plan === 'paid'
        ? `No key was created, because ${KEY_FILE} already exists; \`${COMMAND} key create ${slug} --kind FULL\` creates one.`
        : `No key was created, because the team is on the ${team.plan} plan; \`${COMMAND} team set ${slug} --plan paid\` changes that.`,
    ],
    [
      isFound && source.place === 'environment',
      `${source?.name} is set in the environment and was not written to a file; later commands need it there as well.`,
    ],
    [
      repository !== null,
      `On its page, #123, @name and commits lead to ${repository}, the git remote; \`${COMMAND} product set ${slug}/${product.slug} --repository URL\` changes that.`,
    ],
    [
      hasDotEnv && writesSettings,
      `Added ${Object.keys(settingsFor(current, databaseUrl)).join(' and ')} to ${DOT_ENV}, which existed.`,
    ],
    [
      current.setsListing && writesSettings,
      `With ${LISTING_SETTING}=all in ${DOT_ENV}, / shows every public product; set it to team or none if it should not.`,
    ],
    [
      !(isFound || writesSettings),
      `${DOT_ENV} was not changed; later commands need ${DATABASE_SETTING}=${databaseUrl} there or in the environment.`,
    ],
    [isIgnored, `${DOT_ENV} contains a password, so it was added to .gitignore.`],
    [
      writesPassword && isCommitted(folder, DOT_ENV),
      `${DOT_ENV} contains a password, and git tracks it; run \`git rm --cached ${DOT_ENV}\` before the next commit.`,
    ],
    [
      isNew(KEY_FILE) && isTrackedByGit(folder, KEY_FILE),
      `${KEY_FILE} is a secret, and git does not ignore it; add it to .gitignore.`,
    ],
  ];
  return notes.filter(([applies]) => applies).map(([, note]) => note);
}
