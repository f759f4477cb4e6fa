// Settings that are understood and yet do not do what somebody meant by them.
import type { Config, Environment } from '../../config.ts';
import { type Finding, fail, pass, when } from './finding.ts';

const PASSWORD_CHARACTERS_MIN = 8;
const EVERYWHERE = ['0.0.0.0', '::'];
const THIS_MACHINE = /^(?:localhost|127(?:\.\d+){3}|::1|\[::1\])$/;

export function checkSettings(config: Config, settings: Environment): Finding[] {
  return [
    ...checkGate(config, settings),
    ...checkAddresses(config),
    ...(config.baseUrl === null ? [] : checkBaseUrl(new URL(config.baseUrl))),
    ...checkProxies(config),
  ];
}

function checkGate({ gate }: Config, settings: Environment): Finding[] {
  const credentials = ['PASSWORD_PROTECTION_USERNAME', 'PASSWORD_PROTECTION_PASSWORD'];
  const set = credentials.filter((variable) => settings[variable] !== undefined);
  if (gate === null)
    return when([
      set.length > 0,
      fail(
        'gate',
        `${set.join(' and ')} ${set.length === 1 ? 'is' : 'are'} set, but PASSWORD_PROTECTION is not true, and nobody is asked for a password: set it to true, or take the others away.`,
      ),
    ]);
  const { username, password } = gate;
  return when(
    [
      password.length < PASSWORD_CHARACTERS_MIN,
      fail(
        'gate',
        `PASSWORD_PROTECTION_PASSWORD has fewer than ${PASSWORD_CHARACTERS_MIN} characters: choose a longer one.`,
      ),
    ],
    [
      password.length >= PASSWORD_CHARACTERS_MIN && isEasyToGuess(password, username),
      fail('gate', 'PASSWORD_PROTECTION_PASSWORD is easy to guess: choose another.'),
    ],
  );
}

function isEasyToGuess(password: string, username: string): boolean {
  const folded = password.toLowerCase();
  return (
    folded === username.toLowerCase() ||
    new Set(folded).size < 4 ||
    /^(?:password|passwort|changeme|changelog|letmein|welcome|qwerty\w*|0?12345678?9?0?)[\d!.]*$/.test(folded)
  );
}

function checkAddresses({ host, port, opsHost, opsPort, baseUrl }: Config): Finding[] {
  const overlap = host === opsHost || EVERYWHERE.includes(host) || EVERYWHERE.includes(opsHost);
  return when(
    [
      opsPort !== null && opsPort !== 0 && opsPort === port && overlap,
      fail('settings', `OPS_PORT and PORT are both ${port}: give the operations listener a port of its own.`),
    ],
    [
      opsPort !== null && !THIS_MACHINE.test(opsHost),
      pass(
        'settings',
        `Whoever reaches OPS_HOST ${opsHost} reads the metrics: let only your own machines do so.`,
      ),
    ],
    [
      baseUrl === null && EVERYWHERE.includes(host),
      pass(
        'settings',
        `HOST is ${host}, and BASE_URL is unset: links begin with http://${host}:${port}. If others read here, set BASE_URL to the address that they use.`,
      ),
    ],
  );
}

function checkBaseUrl({ protocol, hostname, pathname }: URL): Finding[] {
  const isApi = /^\/(?:api|docs)(?:\/|$)/.test(pathname);
  return when(
    [
      protocol === 'http:' && !THIS_MACHINE.test(hostname),
      pass(
        'settings',
        'BASE_URL is not https: keys that are sent to it can be read on the way, unless the network is your own.',
      ),
    ],
    [
      isApi,
      fail('settings', `BASE_URL ends in ${pathname}, and links add /api/v1 to it: leave that part out.`),
    ],
    [
      pathname !== '/' && !isApi,
      pass(
        'settings',
        `BASE_URL has the path ${pathname}: the proxy has to take it away before it asks here.`,
      ),
    ],
  );
}

function checkProxies({ baseUrl, trustedProxies }: Config): Finding[] {
  return when(
    [
      baseUrl?.startsWith('https:') === true && trustedProxies.length === 0,
      pass(
        'settings',
        'BASE_URL is https, so a proxy stands in front, and TRUSTED_PROXIES is unset: all clients count as one. If the proxy does not limit them itself, set it to the address of the proxy.',
      ),
    ],
    [
      trustedProxies.some(([, bits]) => bits === 0),
      fail(
        'settings',
        'TRUSTED_PROXIES has a network of all addresses: every client could say to be another. Name only the proxies.',
      ),
    ],
  );
}
