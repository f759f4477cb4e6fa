// Errors as an agent should read them: what is wrong, and what to do.
import { ChangelogError } from '../../client/index.js';
import { type McpSettings, nameOf, type Place, SECRETS } from './settings.ts';
import { oneLine } from './untrusted.ts';

const MESSAGE_CHARACTERS_MAX = 500;
export const RESPONSE_MIB_MAX = 32;

export class ResponseTooLarge extends Error {}

const KEY = SECRETS.apiKey.variable;
const PASSWORD = SECRETS.basic.variable;

/** Null if it is a mistake of this program. */
export function describeFailure(error: unknown, settings: McpSettings, place: Place): string | null {
  if (!(error instanceof ChangelogError)) return null;
  const { url, apiKey, basic } = settings;
  const message = oneLine(withoutSecrets(error.message, settings), MESSAGE_CHARACTERS_MAX);
  if (error.cause instanceof ResponseTooLarge)
    return `The response is too large: more than ${RESPONSE_MIB_MAX} MiB. Ask for less: a smaller limit in list_versions, or fewer versions or one type in changes_between.`;
  switch (error.code) {
    case 'timeout':
      return `${url} did not respond in time. Try again later, or ask for less.`;
    case 'network_error':
      return `${url} cannot be reached${reasonOf(error)}. Check that the server runs, and the --url of this MCP server.`;
    case 'unexpected_response':
      return `${url} does not respond like a changelog server (status ${error.status}). Check the --url of this MCP server: it must be the URL that the pages and the API begin with, without /changelog or /api.`;
    case 'not_found':
      return `${message} ${whereToLook(place)}${apiKey === null ? ` Without ${KEY}, only public changelogs are found.` : ''}`;
    case 'bad_request':
      return `${message}${/\bcursor\b/.test(message) ? ' Use it with the arguments of the call that returned it.' : ''}`;
    case 'unauthorized':
      if (apiKey !== null && basic !== null)
        return `${message} The user must check ${KEY} and ${PASSWORD} in the environment of this MCP server.`;
      return `${message} The user must set ${apiKey === null ? PASSWORD : `${KEY}, or ${PASSWORD} if a password protects the site,`} in the environment of this MCP server.`;
    case 'forbidden':
      return `${message} The key in ${KEY} may not read ${nameOf(place)}. The user must use another key, or none for a public changelog.`;
    default:
      return `${message}${error.retryAfterSeconds === null ? '' : ` Try again in ${error.retryAfterSeconds} s.`}`;
  }
}

/** Some servers and proxies repeat the headers of a request in their errors, as they are or decoded. */
function withoutSecrets(message: unknown, { apiKey, basic }: McpSettings): string {
  const encoded = basic && Buffer.from(`${basic.username}:${basic.password}`).toString('base64');
  return [apiKey, encoded, basic?.password]
    .flatMap((secret) => (secret ? [secret, encodeURIComponent(secret)] : []))
    .reduce((text, secret) => text.replaceAll(secret, '***'), String(message));
}

/** A server may list no products at all (`LISTING=none`). */
function whereToLook({ team, product }: Place): string {
  if (product === null)
    return `There is no team ${team}, it has no products, or this server does not list them. In the last case, name a product.`;
  return `list_versions shows the versions of ${team}/${product}, if it exists, and list_products the products of ${team}.`;
}

/** `fetch failed` says nothing, but its cause does. */
function reasonOf({ cause }: ChangelogError): string {
  const inner = (cause as Error | undefined)?.cause as NodeJS.ErrnoException | undefined;
  const reason = inner?.code ?? inner?.message;
  return reason === undefined ? '' : ` (${oneLine(reason)})`;
}
