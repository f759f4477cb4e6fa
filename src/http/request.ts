// What is known of a request besides its route, and what is wrong with it before anything is looked up.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Cidr, clientAddress } from '../domain/client-address.ts';
import { ApiError } from '../errors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The address, or IPv6 network, that the request is counted under. */
    client: string;
    /** The id of the API key that was recognised. */
    keyId: string | null;
  }
}

const TARGET_BYTES_MAX = 8_000;
const HEADER_LINES_MAX = 100;

export async function forbidSniffing(_request: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.header('x-content-type-options', 'nosniff');
}

export function nameClient(trustedProxies: readonly Cidr[]) {
  return async (request: FastifyRequest): Promise<void> => {
    const forwardedFor = request.headers['x-forwarded-for'];
    request.client = clientAddress(
      request.raw.socket.remoteAddress,
      Array.isArray(forwardedFor) ? forwardedFor.join() : forwardedFor,
      trustedProxies,
    );
  };
}

/** The lines that a header was sent in; of some headers Node.js itself keeps only the first. */
export function headerLines(request: FastifyRequest, name: string): string[] {
  const { rawHeaders } = request.raw;
  const lines: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() === name) lines.push(rawHeaders[index + 1] as string);
  }
  return lines;
}

export async function refuseMalformed(request: FastifyRequest): Promise<void> {
  if (request.originalUrl.length > TARGET_BYTES_MAX) throw new ApiError('uri_too_long');
  if (request.raw.rawHeaders.length > HEADER_LINES_MAX * 2) throw new ApiError('headers_too_large');
  const hosts = headerLines(request, 'host').length;
  if (hosts > 1 || (hosts === 0 && request.raw.httpVersion === '1.1')) throw new ApiError('bad_request');
}
