// Settings that are valid but probably not what the operator meant.
import { type Config, type Environment, findSetting } from '../../config.ts';
import { isEveryAddress, listenUrl, unsetBaseUrlWarning } from '../../http/urls.ts';
import { readStylesheet } from '../../serve/page-stylesheet.ts';
import { type Finding, fail, note, pass, when } from './finding.ts';

const PASSWORD_CHARACTERS_MIN = 8;
const CREDENTIALS = ['PASSWORD_PROTECTION_USERNAME', 'PASSWORD_PROTECTION_PASSWORD'];

export function checkStylesheet({ pageStylesheet }: Config, folder: string): Finding[] {
  if (pageStylesheet === null) return [];
  try {
    const isLoading = /@import\b/i.test(readStylesheet(pageStylesheet, folder));
    return [
      isLoading
        ? note(
            'pages',
            `${pageStylesheet} has an @import, but pages load no other style sheets. Copy its rules instead.`,
          )
        : pass('pages', `${pageStylesheet} is added to the style sheet of the pages.`),
    ];
  } catch (error) {
    return [fail('pages', (error as Error).message)];
  }
}

export function checkSettings(config: Config, settings: Environment): Finding[] {
  const { gate, host, port, opsHost, opsPort, baseUrl, trustedProxies } = config;
  const unusedCredentials = gate === null ? CREDENTIALS.filter((name) => findSetting(settings, name)) : [];
  const overlap = host === opsHost || isEveryAddress(host) || isEveryAddress(opsHost);
  const unsetBaseUrl = unsetBaseUrlWarning(config, listenUrl(null, config));
  const basePath = baseUrl === null ? '/' : new URL(baseUrl).pathname;
  const hasApiPath = /^\/(?:api|docs)(?:\/|$)/.test(basePath);
  return when(
    [
      unusedCredentials.length > 0,
      fail(
        'gate',
        `${unusedCredentials.join(' and ')} ${unusedCredentials.length === 1 ? 'is' : 'are'} set, but PASSWORD_PROTECTION is not true, so no password is required. Set it to true, or remove the credentials.`,
      ),
    ],
    [
      gate !== null && gate.password.length < PASSWORD_CHARACTERS_MIN,
      fail(
        'gate',
        `PASSWORD_PROTECTION_PASSWORD has fewer than ${PASSWORD_CHARACTERS_MIN} characters. Choose a longer one.`,
      ),
    ],
    [
      opsPort !== null && opsPort !== 0 && opsPort === port && overlap,
      fail('settings', `OPS_PORT and PORT are both ${port}. Choose a different OPS_PORT.`),
    ],
    [unsetBaseUrl !== null, note('settings', unsetBaseUrl ?? '')],
    [
      hasApiPath,
      fail('settings', `BASE_URL ends in ${basePath}, but links add /api/v1 to it. Remove that part.`),
    ],
    [
      basePath !== '/' && !hasApiPath,
      note('settings', `BASE_URL has the path ${basePath}. The proxy must remove it from each request.`),
    ],
    [
      baseUrl?.startsWith('https:') === true && trustedProxies.length === 0,
      note(
        'settings',
        'BASE_URL is https, so there is a proxy, but TRUSTED_PROXIES is unset, so all clients share one rate limit. Unless the proxy limits them itself, set TRUSTED_PROXIES to its address.',
      ),
    ],
    [
      trustedProxies.some(([, bits]) => bits === 0),
      fail(
        'settings',
        'TRUSTED_PROXIES includes all addresses, so every client could pretend to be another. List only the proxies.',
      ),
    ],
  );
}
