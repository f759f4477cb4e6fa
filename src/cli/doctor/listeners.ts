// Could `serve` listen, or does it already?
import type { Config } from '../../config.ts';
import { describeListenError, listenUrl, tryToListen } from '../../serve/listen.ts';
import { type Finding, fail, pass } from './finding.ts';

const COUNT_MS_MAX = 1_000;

type Listener = Readonly<{
  host: string;
  port: number;
  /** The settings that these come from. */
  given: Readonly<{ host: string; port: string }>;
  /** What this program, and hardly another, answers there. */
  isOurs: (address: string) => Promise<boolean>;
}>;

export async function checkListeners({ host, port, opsHost, opsPort }: Config): Promise<Finding[]> {
  const listeners: Listener[] = [
    { host, port, given: { host: 'HOST', port: 'PORT' }, isOurs: isPublicListener },
    ...(opsPort === null || opsPort === port
      ? []
      : [
          {
            host: opsHost,
            port: opsPort,
            given: { host: 'OPS_HOST', port: 'OPS_PORT' },
            isOurs: isOperationsListener,
          },
        ]),
  ];
  return (await Promise.all(listeners.map(checkListener))).flat();
}

async function checkListener({ isOurs, ...place }: Listener): Promise<Finding[]> {
  // Any free port will do.
  if (place.port === 0) return [];
  const address = listenUrl(null, place);
  const error = await tryToListen(place);
  if (error === null) return [pass('listeners', `${address} is free.`)];
  const mayBeServed = error.code === 'EADDRINUSE' || error.code === 'EACCES';
  if (mayBeServed && (await isOurs(address).catch(() => false)))
    return [pass('listeners', `${address} is served by this program.`)];
  return [fail('listeners', describeListenError(error, place))];
}

/** With the gate on, it is the gate that answers. */
async function isPublicListener(address: string): Promise<boolean> {
  const response = await ask(`${address}/api/openapi.json`);
  if (response.status === 401)
    return /realm="changelog"/.test(response.headers.get('www-authenticate') ?? '');
  const { paths = {} } = (await response.json()) as { paths?: object };
  return Object.keys(paths).some((path) => path.endsWith('/changelog/versions/{versionId}'));
}

async function isOperationsListener(address: string): Promise<boolean> {
  return (await (await ask(`${address}/metrics`)).text()).includes('changelog_');
}

function ask(url: string): Promise<Response> {
  return fetch(url, { signal: AbortSignal.timeout(COUNT_MS_MAX), redirect: 'error' });
}
