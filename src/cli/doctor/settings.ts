// Settings that are understood and yet do not do what somebody meant by them.
import type { Config, Environment } from '../../config.ts';
import { type Finding, fail, pass, when } from './finding.ts';

const PASSWORD_CHARACTERS_MIN = 8;
const EVERYWHERE = ['0.0.0.0', '::'];

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
  return when([
    gate.password.length < PASSWORD_CHARACTERS_MIN,
    fail(
      'gate',
      `PASSWORD_PROTECTION_PASSWORD has fewer than ${PASSWORD_CHARACTERS_MIN} characters: choose a longer one.`,
    ),
  ]);
}

function checkAddresses({ host, port, opsHost, opsPort, baseUrl }: Config): Finding[] {
  const overlap = host === opsHost || EVERYWHERE.includes(host) || EVERYWHERE.includes(opsHost);
  return when(
    [
      opsPort !== null && opsPort !== 0 && opsPort === port && overlap,
      fail('settings', `OPS_PORT and PORT are both ${port}: give the operations listener a port of its own.`),
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

function checkBaseUrl({ pathname }: URL): Finding[] {
  const isApi = /^\/(?:api|docs)(?:\/|$)/.test(pathname);
  return when(
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
