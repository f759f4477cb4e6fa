import { existsSync } from 'node:fs';
import path from 'node:path';
import { InvalidArgumentError } from 'commander';
import { COMMAND } from '../../command-name.ts';
import type { Config } from '../../config.ts';
import { VISIBILITIES, type Visibility } from '../../domain/model.ts';
import { slugOf } from '../../domain/slug.ts';
import { Refusal } from '../../errors.ts';
import { baseUrlFor, listenUrl } from '../../http/urls.ts';
import { serverLinks } from '../../present/links.ts';
import { choice, option, parseName } from '../arguments.ts';
import { type Cli, configOf } from '../cli.ts';
import { command } from '../command.ts';
import { readFile, titleOf } from '../files/read-changelog.ts';
import { formatImport, formatTargets, type Imported, importJson } from '../report/import-report.ts';
import { formatOutcome, warn } from '../report/outcomes.ts';
import { KEY_FILE, type NameAndSlug, type SetUp, setUp, withDatabase } from '../set-up.ts';
import { outputPaint } from '../terminal/colours.ts';
import { escapeControls, escapeName } from '../terminal/plain.ts';

/** The file that is imported if it is there. */
const CHANGELOG_FILE = 'CHANGELOG.md';

type InitFlags = {
  team?: NameAndSlug;
  product?: NameAndSlug;
  visibility: Visibility;
  import: boolean;
  yes?: boolean;
};

export const initCommand = command({
  name: 'init',
  about: 'set up a team, a product and a database here',
  options: [
    option('--team <name>', 'name of the team; that of the product if left out', parseNameForUrl),
    option('--product <name>', 'name of the product, instead of asking', parseNameForUrl),
    choice('--visibility <visibility>', 'who may read its published versions', VISIBILITIES).default(
      'public',
    ),
    option('--no-import', `do not import ${CHANGELOG_FILE}`),
  ],
  yes: 'name the product like the directory instead of asking',
  run: async (cli, flags: InitFlags) => {
    const inside = await withDatabase(cli);
    const config = configOf(inside);
    const product = flags.product ?? (await askName(cli, flags));
    const isThere = flags.import && existsSync(path.join(cli.folder, CHANGELOG_FILE));
    const changelog = isThere ? await readFile(cli, CHANGELOG_FILE, { format: 'auto' }) : null;
    const made = await setUp(cli, inside, { ...flags, product }, flags.visibility, changelog);
    return { config, changelog, ...made };
  },
  text: ({ config, changelog, imported, made }, cli) => {
    const paint = outputPaint(cli);
    const report = changelog === null ? formatTargets(imported, paint) : [formatImport(imported, paint)];
    const lines = made.map(({ kind, name }) =>
      formatOutcome(paint, 'created', kind === 'file' ? name : `${kind} ${escapeName(name)}`),
    );
    return [...report, ...lines, '', ...nextSteps(config, imported, made)].join('\n');
  },
  json: ({ changelog, imported, made }) => ({
    ...imported.product,
    visibility: imported.summary.target.team.visibility,
    made,
    imported: changelog === null ? null : importJson(imported),
  }),
  after: ({ imported }, cli) => warn(cli, imported.warnings),
});

/** A name that URLs can be made of. */
function parseNameForUrl(text: string): NameAndSlug {
  const name = parseName(text);
  // It may have a password, which would become part of every URL.
  if (name.includes('://')) throw new InvalidArgumentError('It is a URL. Write a name.');
  const slug = slugOf(name);
  if (slug === '')
    throw new InvalidArgumentError(
      `URLs are made of a-z and 0-9, and the name has none of them. Choose one that does; \`${COMMAND} team set\` and \`${COMMAND} product set\` can change the name later.`,
    );
  return { name, slug };
}

/** The only question. It is asked again until the name can be used. */
async function askName(cli: Cli, { yes }: InitFlags): Promise<NameAndSlug> {
  const fallback = titleOf(path.basename(cli.folder)) || 'Product';
  if (yes) return parseNameForUrl(fallback);
  if (cli.ask === undefined)
    throw new Refusal(
      'init asks for the name of the product, but there is no terminal; use --product NAME, or --yes for the name of this directory',
    );
  for (let problem = ''; ; ) {
    const question = `${problem}What is your product called? [${fallback}]: `;
    const answer = (await cli.ask(escapeControls(question))).trim();
    try {
      return parseNameForUrl(answer || fallback);
    } catch (error) {
      if (!(error instanceof InvalidArgumentError)) throw error;
      problem = `  ${error.message}\n`;
    }
  }
}

/** The commands and URLs to try, each below its title. */
function nextSteps(config: Config, { product: of, summary }: Imported, made: SetUp['made']): string[] {
  const { team, product } = of;
  const baseUrl = baseUrlFor(config, listenUrl(null, config));
  const feed = `teams/${team}/products/${product}/changelog`;
  const page = serverLinks(baseUrl).urlsOf({ teamSlug: team, productSlug: product, domain: null }).changelog;
  const steps: [title: string, step: string][] = [['Serve it:', `${COMMAND} serve`]];
  if (summary.target.team.visibility === 'public')
    steps.push(
      ['Then anyone can read it:', page],
      ['The same as JSON:', `curl ${baseUrl}/api/v1/public/${feed}`],
      ['Its feed:', `${baseUrl}/api/v1/public/${feed}/feed.atom`],
      ['To hide it:', `${COMMAND} team set ${team} --visibility private`],
    );
  // `printf` is built into the shell, so the key does not appear in the list of processes.
  const withKey = `printf 'Authorization: Bearer %s' "$(cat ${KEY_FILE})" | curl -H @- ${baseUrl}/api/v1/${feed}`;
  // One that was there may be of another team.
  if (made.some(({ kind }) => kind === 'key')) steps.push(['With the key, drafts included:', withKey]);
  steps.push(
    ['After each release, here or in CI:', `${COMMAND} import ${team}/${product} ${CHANGELOG_FILE}`],
    ['The API reference, once it is served:', `${baseUrl}/docs`],
  );
  return steps.flatMap(([title, step]) => [title, `  ${step}`]);
}
