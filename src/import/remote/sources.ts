// What `github:OWNER/REPO` and the like mean: which URL to fetch, and which token goes there.
import { isLoopback } from '../../domain/access/loopback.ts';
import { Refusal } from '../../errors.ts';

export type RemoteSource = Readonly<{
  /** As typed; names it in messages. */
  name: string;
  /** The file, or the first page of releases. */
  url: URL;
  /** False if it is a file. */
  isReleases: boolean;
  headers: Readonly<Record<string, string>>;
  /** Goes to the origin of the URL and to no other. */
  token: Readonly<{ variable: string; header: string; value: string }> | null;
  /** What to set if a token is missing; null if none would be sent. */
  variable: string | null;
}>;

type Environment = Readonly<Record<string, string | undefined>>;

/** Null if it is a file on this machine. */
export function parseSource(name: string, environment: Environment): RemoteSource | null {
  const [, scheme = '', rest = ''] = /^(github|gitlab|gitea|https?):(.*)$/is.exec(name) ?? [];
  const parse = { github: parseGitHub, gitlab: parseGitLab, gitea: parseGitea }[scheme.toLowerCase()];
  if (parse !== undefined) return parse(name, rest, environment);
  return scheme === '' ? null : parseFile(name, environment);
}

function parseGitHub(name: string, rest: string, environment: Environment): RemoteSource {
  const path = partsOf(rest);
  if (path?.length !== 2) throw new Refusal(`write ${name} as github:OWNER/REPO`);
  const { GITHUB_API_URL: api = 'https://api.github.com' } = environment;
  return {
    name,
    url: releasesAt(requireUrl(api, 'GITHUB_API_URL'), ['repos', ...path], 'per_page=100'),
    isReleases: true,
    headers: { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' },
    ...withToken(environment, ['GITHUB_TOKEN', 'GH_TOKEN'], 'authorization', 'Bearer '),
  };
}

/** A first part with a dot or a port is a host, if a group and a project follow: groups may have dots, too. */
function parseGitLab(name: string, rest: string, environment: Environment): RemoteSource {
  const { CI_API_V4_URL: api = 'https://gitlab.com/api/v4' } = environment;
  const hasHost = /^https?:\/\//i.test(rest) || /^(?:[^/]*[.:][^/]*|localhost)\/[^/]+\/[^/]/.test(rest);
  const host = hasHost ? URL.parse(withScheme(rest)) : null;
  const path = partsOf(host === null ? rest : host.pathname.slice(1));
  if (path === null || path.length < 2 || (hasHost && host === null))
    throw new Refusal(`write ${name} as gitlab:GROUP/PROJECT, or as gitlab:HOST/GROUP/PROJECT`);
  const base = host === null ? requireUrl(api, 'CI_API_V4_URL') : requireUrl(`${host.origin}/api/v4`, name);
  return {
    name,
    url: releasesAt(base, ['projects', path.join('/')], 'per_page=100'),
    isReleases: true,
    headers: { accept: 'application/json' },
    ...withToken(environment, ['GITLAB_TOKEN'], 'private-token'),
  };
}

/** Also Forgejo. The last two parts are the owner and the repository: Gitea may be below a path. */
function parseGitea(name: string, rest: string, environment: Environment): RemoteSource {
  const url = URL.parse(withScheme(rest));
  const path = partsOf(url?.pathname.slice(1) ?? '');
  if (url === null || path === null || path.length < 2)
    throw new Refusal(`write ${name} as gitea:HOST/OWNER/REPO`);
  const base = requireUrl([url.origin, ...path.slice(0, -2), 'api/v1'].join('/'), name);
  return {
    name,
    url: releasesAt(base, ['repos', ...path.slice(-2)], 'limit=50'),
    isReleases: true,
    headers: { accept: 'application/json' },
    ...withToken(environment, ['GITEA_TOKEN'], 'authorization', 'token '),
  };
}

/** The page of a file on GitHub or GitLab is HTML; the file itself is elsewhere. */
function parseFile(name: string, environment: Environment): RemoteSource {
  const url = requireUrl(
    name
      .replace(
        /^https:\/\/github\.com\/([^/]+\/[^/]+)\/(?:blob|raw)\//i,
        'https://raw.githubusercontent.com/$1/',
      )
      .replace(/^(https:\/\/gitlab\.com\/.+?\/-)\/blob\//i, '$1/raw/'),
    name,
  );
  const isOfGitHub = url.origin === 'https://raw.githubusercontent.com';
  const none = { token: null, variable: null };
  return {
    name,
    url,
    isReleases: false,
    headers: { accept: '*/*' },
    ...(isOfGitHub ? withToken(environment, ['GITHUB_TOKEN', 'GH_TOKEN'], 'authorization', 'Bearer ') : none),
  };
}

/** Null if a part is empty or has a character that no platform allows in names. */
function partsOf(path: string): string[] | null {
  const parts = path.replace(/\/$/, '').split('/');
  return parts.every((part) => /^[\w.+~-]+$/.test(part) && !/^\.+$/.test(part)) ? parts : null;
}

function releasesAt(base: URL, path: readonly string[], query: string): URL {
  const below = path.map(encodeURIComponent).join('/');
  return new URL(`${base.href.replace(/\/$/, '')}/${below}/releases?${query}`);
}

/** A server on this machine rarely has a certificate. */
function withScheme(text: string): string {
  if (/^https?:\/\//i.test(text)) return text;
  return `${isLoopback(URL.parse(`http://${text}`)?.hostname ?? '') ? 'http' : 'https'}://${text}`;
}

export function isSafe({ protocol, hostname, username, password }: URL): boolean {
  return (
    username === '' &&
    password === '' &&
    (protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname)))
  );
}

function requireUrl(text: string, what: string): URL {
  const url = URL.parse(text);
  if (url === null || !isSafe(url))
    throw new Refusal(
      `${what === text ? what : `the URL in ${what}`} must start with https: and have no user or password; http: is only for this machine`,
    );
  return url;
}

function withToken(
  environment: Environment,
  variables: readonly [string, ...string[]],
  header: string,
  before = '',
): Pick<RemoteSource, 'token' | 'variable'> {
  const variable = variables.find((each) => environment[each]?.trim());
  const value = `${before}${environment[variable ?? '']?.trim()}`;
  return { token: variable === undefined ? null : { variable, header, value }, variable: variables[0] };
}
