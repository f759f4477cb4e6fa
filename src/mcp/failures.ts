// Errors as an agent should read them: what is wrong, and what to do.
import { ChangelogError } from '../../client/index.js';
import { ResponseTooLarge } from './reader.ts';
import { type McpSettings, nameOf, type Place, SECRETS } from './settings.ts';
import { oneLine } from './untrusted.ts';

const MESSAGE_CHARACTERS_MAX = 500;

/** Null if it is a mistake of this program. */
export function describeFailure(error: unknown, settings: McpSettings, place: Place): string | null {
  if (!(error instanceof ChangelogError)) return null;
  const message = oneLine(withoutSecrets(error.message, settings), MESSAGE_CHARACTERS_MAX);
  const advice = adviceOn(error, settings, place);
  if (error.cause instanceof ResponseTooLarge)
    return `The response is too large: ${error.cause.message}. Ask for less: a smaller limit in list_versions, or fewer versions or one type in changes_between.`;
  if (error.is('timeout')) return `${settings.url} did not respond in time. ${advice}`;
  if (error.is('network_error')) return `${settings.url} cannot be reached${reasonOf(error)}. ${advice}`;
  if (error.is('unexpected_response'))
    return `${settings.url} does not respond like a changelog server (status ${error.status}). ${advice}`;
  return `${message} ${advice}`.trim();
}

/** Some servers and proxies repeat the headers of a request in their errors, as they are or decoded. */
function withoutSecrets(message: unknown, { apiKey, basic }: McpSettings): string {
  const encoded = basic && Buffer.from(`${basic.username}:${basic.password}`).toString('base64');
  return [apiKey, encoded, basic?.password]
    .flatMap((secret) => (secret ? [secret, encodeURIComponent(secret)] : []))
    .reduce((text, secret) => text.replaceAll(secret, '***'), String(message));
}

function adviceOn(error: ChangelogError, { apiKey, basic }: McpSettings, place: Place): string {
  const { variable: key } = SECRETS.apiKey;
  const { variable: password } = SECRETS.basic;
  switch (error.code) {
    case 'timeout':
      return 'Try again later, or ask for less.';
    case 'network_error':
      return 'Check that the server runs, and the --url of this MCP server.';
    case 'unexpected_response':
      return 'Check the --url of this MCP server: it must be the URL that the pages and the API begin with, without /changelog or /api.';
    case 'not_found':
      return `${whereToLook(place)}${apiKey === null ? ` Without ${key}, only public changelogs are found.` : ''}`;
    case 'bad_request':
      return /\bcursor\b/.test(error.message)
        ? 'Use it with the arguments of the call that returned it.'
        : '';
    case 'unauthorized':
      if (apiKey === null || basic === null)
        return `The user must set ${apiKey === null ? password : `${key}, or ${password} if a password protects the site,`} in the environment of this MCP server.`;
      return `The user must check ${key} and ${password} in the environment of this MCP server.`;
    case 'forbidden':
      return `The key in ${key} may not read ${nameOf(place)}. The user must use another key, or none for a public changelog.`;
    case 'rate_limited':
    case 'unavailable':
      return error.retryAfterSeconds === null ? '' : `Try again in ${error.retryAfterSeconds} s.`;
    default:
      return '';
  }
}

/** A server may list no products at all (`LISTING=none`). */
function whereToLook(place: Place): string {
  const { team, product } = place;
  if (product === null)
    return `There is no team ${team}, it has no products, or this server does not list them. In the last case, name a product.`;
  return `list_versions shows the versions of ${nameOf(place)}, if it exists, and list_products the products of ${team}.`;
}

/** `fetch failed` says nothing, but its cause does. */
function reasonOf({ cause }: ChangelogError): string {
  const inner = (cause as Error | undefined)?.cause as NodeJS.ErrnoException | undefined;
  const reason = inner?.code ?? inner?.message;
  return reason === undefined ? '' : ` (${oneLine(reason)})`;
}
