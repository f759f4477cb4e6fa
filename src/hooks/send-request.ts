import http from 'node:http';
import https from 'node:https';
import { PACKAGE } from '../root.ts';
import { DeliveryError, type DeliveryLimits, type OutgoingRequest } from './outgoing.ts';

/** Responses are not kept. One that is longer is cut off, so that it cannot hold up anything else. */
const RESPONSE_BYTES_MAX = 64 * 1024;
/** Before the response, such as 103. Without a limit, a receiver could send them until the time limit. */
const INFORMATIONAL_RESPONSES_MAX = 20;

/**
 * Succeeds with any 2xx status, whatever follows it: the receiver has the message, and sending it again would only repeat
 * it. Redirects are not followed, because they could lead anywhere.
 */
export async function sendRequest(
  { method, url, headers, body }: OutgoingRequest,
  { timeLimitMs, signal }: DeliveryLimits,
): Promise<void> {
  const request = startRequest(url, {
    method,
    headers: { 'user-agent': `${PACKAGE.name}/${PACKAGE.version}`, ...headers },
    // A connection that is kept open would keep this process running.
    agent: false,
    // Also if NODE_TLS_REJECT_UNAUTHORIZED is 0.
    rejectUnauthorized: true,
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let failure: DeliveryError | null | undefined;
  const end = (error: DeliveryError) => {
    if (failure === undefined) failure = error;
    request.destroy();
  };
  const timer = setTimeout(
    () => end(new DeliveryError(`no response within ${timeLimitMs / 1000} seconds`)),
    timeLimitMs,
  );
  const stop = () => end(new DeliveryError('stopped before there was a response'));
  signal?.addEventListener('abort', stop);
  let informational = 0;
  request.on('information', () => {
    if (++informational > INFORMATIONAL_RESPONSES_MAX)
      end(new DeliveryError(`more than ${INFORMATIONAL_RESPONSES_MAX} informational responses (HTTP 1xx)`));
  });
  request.on('response', (response) => {
    if (failure === undefined) failure = responseError(response);
    let bytes = 0;
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > RESPONSE_BYTES_MAX) request.destroy();
    });
    // The status counts, not what became of the body.
    response.on('error', () => {});
  });
  request.on('error', (error) => {
    if (failure === undefined) failure = requestError(error);
  });
  request.on('close', () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
    if (failure === null) resolve();
    else reject(failure ?? new DeliveryError('the connection was closed without a response'));
  });
  if (signal?.aborted) stop();
  else request.end(body);
  await promise;
}

/** A URL or a header that cannot be sent throws an error with its text. */
function startRequest(url: string, options: https.RequestOptions): http.ClientRequest {
  try {
    return (url.startsWith('https:') ? https : http).request(url, options);
  } catch (error) {
    throw requestError(error as Error);
  }
}

function responseError({ statusCode = 0, headers }: http.IncomingMessage): DeliveryError | null {
  if (statusCode >= 200 && statusCode < 300) return null;
  const isRedirect = statusCode >= 300 && statusCode < 400;
  const text = describe(`HTTP ${statusCode}`, isRedirect ? 'redirects are not followed' : undefined);
  const isBusy = statusCode === 429 || statusCode === 503;
  return new DeliveryError(text, isBusy ? retryAfterMs(headers['retry-after']) : null);
}

/** From seconds or a date. */
function retryAfterMs(text = ''): number | null {
  const ms = /^\d{1,9}(?:\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isNaN(ms) ? null : Math.max(0, Math.ceil(ms));
}

/** Other messages of Node.js have the host in them. */
function requestError(error: NodeJS.ErrnoException): DeliveryError {
  return new DeliveryError(describe(error.code ?? 'the request failed'));
}

function describe(what: string, meaning = MEANINGS[what]): string {
  return meaning === undefined ? what : `${what}: ${meaning}`;
}

const CHECK_SECRET = 'access denied; check the URL and the secret';
const CHECK_URL = 'the receiver has nothing at this URL; check it';
const UNTRUSTED =
  'the certificate is not signed by an authority that Node.js trusts; see NODE_EXTRA_CA_CERTS';

const MEANINGS: Readonly<Record<string, string>> = {
  'HTTP 401': CHECK_SECRET,
  'HTTP 403': CHECK_SECRET,
  'HTTP 404': CHECK_URL,
  'HTTP 410': CHECK_URL,
  'HTTP 429': 'too many requests',
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was closed',
  EHOSTUNREACH: 'the host is unreachable',
  ENETUNREACH: 'the network is unreachable',
  ENOTFOUND: 'the host name does not exist',
  EAI_AGAIN: 'the host name cannot be looked up now',
  EPROTO: 'the receiver does not understand TLS; check whether its URL begins with http:',
  ETIMEDOUT: 'the host does not respond',
  ERR_INVALID_URL: 'the URL is not valid',
  ERR_INVALID_CHAR: 'the secret has a character that cannot be sent',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host',
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
};
