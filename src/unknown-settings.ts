// Variables that were probably meant as settings (R72): a typo in PASSWORD_PROTECTION must not open a site.
import path from 'node:path';
import { COMMAND } from './command-name.ts';
import { type Environment, PREFIX, SERVICE_LINK, VARIABLES, withoutPrefix } from './config.ts';
import { nearest } from './domain/nearest.ts';
import { readDotEnv } from './dot-env.ts';
import { Refusal } from './errors.ts';

const PREFIXED = [...VARIABLES].map((variable) => PREFIX + variable);
const OF_MCP = ['CHANGELOG_API_KEY', 'CHANGELOG_BASIC_AUTH'];
const KNOWN = new Set([...VARIABLES, ...PREFIXED, ...OF_MCP]);
/** In the environment, those of the SQL files in deploy/postgres, of the commands of hooks, and of our own processes. */
const OURS = /^CHANGELOG_(?:CI_PASSWORD|SERVER_PASSWORD|HOOK|MESSAGE_ID|COMMAND|DEMO_PAGE)$/;
/** Kubernetes and Docker set these for a service or a container that is called `changelog` or `changelog-…`. */
const SERVICE_VARIABLE =
  /^\w+_(?:SERVICE_HOST|SERVICE_PORT(?:_\w+)?|PORT_\d+_(?:TCP|UDP|SCTP)(?:_\w+)?|ENV_\w+|NAME(?==\/))=/;
/** Shorter names are too close to those of other programs. */
const TYPO_LENGTH_MIN = 8;

type Place = Readonly<{ environment: Environment; folder: string }>;

/** One problem for each variable. Without typos, only names with the prefix count: `.env` may be another program's. */
export function findUnknownSettings({ environment, folder }: Place, { withTypos = true } = {}): string[] {
  const dotEnv = Object.keys(readDotEnv(path.join(folder, '.env')) ?? {});
  const isUnknown = (name: string) => name.startsWith(PREFIX) && !KNOWN.has(name);
  const isOther = (name: string, text = 'tcp://') =>
    OURS.test(name) || SERVICE_LINK.test(text) || SERVICE_VARIABLE.test(`${name}=${text}`);
  const given = Object.keys(environment).filter(
    (name) => isUnknown(name) && !isOther(name, environment[name]),
  );
  const typos = withTypos ? dotEnv.filter((name) => !KNOWN.has(name) && !name.startsWith(PREFIX)) : [];
  return [
    ...given.map((name) => describePrefixed(name, 'the environment')),
    ...dotEnv.filter(isUnknown).map((name) => describePrefixed(name, '.env')),
    ...typos.flatMap((name) => describeTypo(name, [...dotEnv, ...Object.keys(environment)])),
  ];
}

export function requireKnownSettings(...args: Parameters<typeof findUnknownSettings>): void {
  const [first, ...more] = findUnknownSettings(...args);
  if (first !== undefined) throw new Refusal(first, { more });
}

function describePrefixed(name: string, place: string): string {
  const meant = nearest(withoutPrefix(name), VARIABLES);
  const advice = meant
    ? `did you mean ${PREFIX}${meant}?`
    : `\`${COMMAND} serve --help\` lists the settings. If another program needs it, rename it: names that begin with ${PREFIX} are for settings.`;
  return `${name} in ${place} is not a setting; ${advice}`;
}

/** One mistake in the whole name. If the setting is given with its prefix, the name is another program's. */
function describeTypo(name: string, given: readonly string[]): string[] {
  const strictness = { charactersPerMistake: name.length - 1, isBeginningEnough: false };
  const meant = nearest(name, [...VARIABLES, ...PREFIXED], strictness);
  const prefixed = PREFIX + withoutPrefix(meant ?? '');
  if (name.length < TYPO_LENGTH_MIN || meant === undefined || given.includes(prefixed)) return [];
  return [
    `${name} in .env is not a setting; did you mean ${meant}? If another program needs it, also set ${prefixed}.`,
  ];
}
