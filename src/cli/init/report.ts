// What `init` says at its end: what is here now, and what to type next.
import type { Config } from '../../config.ts';
import { listenUrl } from '../../serve/listen.ts';
import { escapeName } from '../terminal/plain.ts';
import { shellWord } from '../terminal/shell-word.ts';
import { KEY_FILE } from './existing-key.ts';
import type { SetupItem } from './set-up.ts';

export type NextSteps = Readonly<{
  serve: string;
  /** What anybody may read; null if nobody may without a key. */
  public: string | null;
  feed: string | null;
  /** Null if the key that is here does not read it. */
  withKey: string | null;
  /** Null if there is one, or the team may have none. */
  makeKey: string | null;
  import: string;
}>;

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
  const address = config.baseUrl?.replace(/\/+$/, '') ?? listenUrl(null, reachable(config));
  const basic = config.gate === null ? '' : ` -u ${shellWord(`${config.gate.username}:PASSWORD`)}`;
  const header = config.gate === null ? 'Authorization: Bearer' : 'X-API-Key:';
  const path = `teams/${team}/products/${product}/changelog`;
  return {
    serve: 'changelog serve',
    public: isPublic ? `curl${basic} ${address}/api/v1/public/${path}` : null,
    feed: isPublic ? `${address}/api/v1/public/${path}/feed.atom` : null,
    // `printf` is part of the shell: the key is in no list of processes.
    withKey: hasKey
      ? `printf '${header} %s' "$(cat ${KEY_FILE})" | curl${basic} -H @- ${address}/api/v1/${path}`
      : null,
    makeKey: mayHaveKey && !hasKey ? `changelog key create ${team} --kind FULL --out ${team}.key` : null,
    import: `changelog import ${team}/${product} ${shellWord(file)}`,
  };
}

/** Who listens everywhere is reached here. */
function reachable({ host, port }: Config) {
  return { host: ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host, port };
}

export function formatItems(things: readonly SetupItem[]): string {
  return things
    .map(({ isNew, kind, name }) => {
      const what = escapeName(kind === 'file' ? name : `${kind} ${name}`);
      return isNew ? `+ ${what}` : `= ${what}, there already`;
    })
    .join('\n');
}

export function formatNextSteps(steps: NextSteps): string {
  const lines: [title: string, line: string | null][] = [
    ['Serve it:', steps.serve],
    ['Then anybody may read it:', steps.public],
    ['Its feed:', steps.feed],
    ['With the key, drafts included:', steps.withKey],
    ['For a key that reads drafts as well:', steps.makeKey],
    ['After each release, here or in CI:', steps.import],
  ];
  return lines.flatMap(([title, line]) => (line === null ? [] : [title, `  ${line}`])).join('\n');
}
