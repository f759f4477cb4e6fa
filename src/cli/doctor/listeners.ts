import type { Config } from '../../config.ts';
import { listenUrl } from '../../http/urls.ts';
import { describeListenError, probePort } from '../../serve/listen.ts';
import { type Finding, fail, pass } from './finding.ts';

const RESPONSE_MS_MAX = 1_000;

type Listener = Readonly<{
  host: string;
  port: number;
  given: Readonly<{ host: string; port: string }>;
  isServed: (url: string) => Promise<boolean>;
}>;

export async function checkListeners({ host, port, opsHost, opsPort }: Config): Promise<Finding[]> {
  const listeners: Listener[] = [
    { host, port, given: { host: 'HOST', port: 'PORT' }, isServed: isPublicListener },
    ...(opsPort === null || opsPort === port
      ? []
      : [
          {
            host: opsHost,
            port: opsPort,
            given: { host: 'OPS_HOST', port: 'OPS_PORT' },
            isServed: isOperationsListener,
          },
        ]),
  ];
  return (await Promise.all(listeners.map(checkListener))).flat();
}

async function checkListener({ isServed, ...target }: Listener): Promise<Finding[]> {
  if (target.port === 0) return [];
  const url = listenUrl(null, target);
  const error = await probePort(target);
  if (error === null) return [pass('listeners', `${url} is free.`)];
  const mayBeServed = error.code === 'EADDRINUSE' || error.code === 'EACCES';
  if (mayBeServed && (await isServed(url).catch(() => false)))
    return [pass('listeners', `${url} is served by this program.`)];
  return [fail('listeners', describeListenError(error, target, target.given))];
}

/** With the gate on, the gate responds. */
async function isPublicListener(baseUrl: string): Promise<boolean> {
  const response = await request(`${baseUrl}/api/openapi.json`);
  if (response.status === 401)
    return /realm="changelog"/.test(response.headers.get('www-authenticate') ?? '');
  const { paths = {} } = (await response.json()) as { paths?: object };
  return Object.keys(paths).some((path) => path.endsWith('/changelog/versions/{versionId}'));
}

async function isOperationsListener(baseUrl: string): Promise<boolean> {
  return (await (await request(`${baseUrl}/metrics`)).text()).includes('changelog_');
}

function request(url: string): Promise<Response> {
  return fetch(url, { signal: AbortSignal.timeout(RESPONSE_MS_MAX), redirect: 'error' });
}
