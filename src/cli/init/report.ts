// What `init` prints: what it set up, the commands to run next, and how to change what it chose.
import { COMMAND } from '../../command-name.ts';
import type { Config } from '../../config.ts';
import { baseUrlFor, listenUrl } from '../../http/urls.ts';
import { serverLinks } from '../../present/links.ts';
import { rerunCommand } from '../reading-options.ts';
import { RERUN_TITLE } from '../report/import-report.ts';
import { escapeName, shellWord } from '../terminal/plain.ts';
import { DATABASE_SETTING, type Database, DOT_ENV } from './database.ts';
import { IGNORE_FILE, KEY_FILE, LISTING_SETTING, type SetUp } from './set-up.ts';

/** A step has no value where it does not apply. */
type Step = readonly [name: string, title: string, value: string | null];

/** In order. */
export function nextSteps(
  config: Config,
  { path: { team, product }, team: { visibility, plan }, items }: SetUp,
  file: string,
): Step[] {
  const isNew = (wanted: string) => items.find(({ kind }) => kind === wanted)?.isNew;
  // An existing key file cannot belong to a new team.
  const hasKey = isNew('key') || (isNew('key') === false && !isNew('team'));
  const baseUrl = baseUrlFor(config, listenUrl(null, config));
  const basic = config.gate === null ? '' : ` -u ${shellWord(`${config.gate.username}:PASSWORD`)}`;
  const header = config.gate === null ? 'Authorization: Bearer' : 'X-API-Key:';
  const path = `teams/${team}/products/${product}/changelog`;
  const page = serverLinks(baseUrl).urlsOf({ teamSlug: team, productSlug: product, domain: null }).changelog;
  // `printf` is built into the shell, so the key does not appear in the list of processes.
  const curl = `printf '${header} %s' "$(cat ${KEY_FILE})" | curl${basic} -H @- ${baseUrl}/api/v1/${path}`;
  const makeKey = `${COMMAND} key create ${team} --kind FULL --out ${team}.key`;
  const ifPublic = (value: string) => (visibility === 'public' ? value : null);
  return [
    ['serve', 'Serve it:', `${COMMAND} serve`],
    ['page', 'Then anyone can read it:', ifPublic(page)],
    ['public', 'The same as JSON:', ifPublic(`curl${basic} ${baseUrl}/api/v1/public/${path}`)],
    ['feed', 'Its feed:', ifPublic(`${baseUrl}/api/v1/public/${path}/feed.atom`)],
    ['withKey', 'With the key, drafts included:', hasKey ? curl : null],
    ['makeKey', 'To create a key that reads drafts as well:', plan === 'paid' && !hasKey ? makeKey : null],
    ['import', RERUN_TITLE, rerunCommand(['import', `${team}/${product}`, file], { format: 'auto' })],
    ['docs', 'The API reference, once it is served:', `${baseUrl}/docs`],
  ];
}

export function formatItems(items: SetUp['items']): string[] {
  return items.map(({ isNew, kind, name }) => {
    const what = escapeName(kind === 'file' ? name : `${kind} ${name}`);
    return isNew ? `+ ${what}` : `= ${what} (already exists)`;
  });
}

/** What was chosen without a question, and how to change it. */
export function notesOn(
  { path, team, items, repository, settings }: SetUp,
  { url, ignored, isOverridden }: Database,
): string[] {
  const slug = path.team;
  const isNew = (wanted: string) => items.find(({ kind, name }) => [kind, name].includes(wanted))?.isNew;
  const other = team.visibility === 'public' ? 'private' : 'public';
  const notes = [
    `The team ${slug} ${isNew('team') ? '' : 'already exists and '}is ${team.visibility}; \`${COMMAND} team set ${slug} --visibility ${other}\` changes that, and --name what it is called.`,
    isNew(KEY_FILE) &&
      !isNew(IGNORE_FILE) &&
      `${KEY_FILE} is a secret, and the .gitignore next to it was not changed; it must ignore it.`,
    ignored &&
      `${ignored.name} is set in ${ignored.place}, perhaps for an application, and is not used. To use that database, set ${DATABASE_SETTING} to it.`,
    repository &&
      `On its page, #123, @name and commits lead to ${repository}, the git remote; \`${COMMAND} product set ${slug}/${path.product} --repository URL\` changes that.`,
    settings.length > 0 &&
      isNew(DOT_ENV) === false &&
      `Added ${settings.join(' and ')} to ${DOT_ENV}, which existed.`,
    settings.includes(LISTING_SETTING) &&
      `With ${LISTING_SETTING}=all in ${DOT_ENV}, / shows every public product; set it to team or none if it should not.`,
    isOverridden && overrides(url),
  ];
  return notes.filter((note) => typeof note === 'string');
}

export function overrides(url: string): string {
  return `Before you run other commands: DATABASE_URL in the environment wins over ${DOT_ENV}, so set ${DATABASE_SETTING}=${url} there.`;
}
