// What is known of a request besides its route, and what is wrong with it before anything is looked up.
import type { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { type Cidr, clientAddress } from '../domain/client-address.ts';
import { ApiError } from '../errors.ts';
import type { Stage } from './stages.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** By the clock of `performance`. */
    startedAt: number;
    /** The pattern of the address, or null if there is none like it. */
    route: string | null;
    /** The address, or IPv6 network, that the request is counted under. */
    client: string;
    /** The id of the API key that was recognised. */
    keyId: string | null;
  }
  interface FastifyContextConfig {
    /** All stages that a request to the route passes, to the last, which answers it. */
    stages?: readonly Stage[];
  }
  interface FastifyReply {
    /** The headers so far: each name is followed by its value. */
    head: string[];
  }
}

const TARGET_BYTES_MAX = 8_000;
const HEADER_LINES_MAX = 100;

/** Who asks, and since when; the headers of every answer begin here. */
export function beginRequest(trustedProxies: readonly Cidr[]): Stage {
  const nameClient = clientNames(trustedProxies);
  return (request, reply, next) => {
    request.startedAt = performance.now();
    request.route = request.routeOptions.url ?? null;
    request.client = nameClient(request);
    reply.head = ['x-content-type-options', 'nosniff'];
    next();
  };
}

/** Without proxies whose word counts, a connection is of one client for as long as it lives. */
function clientNames(trustedProxies: readonly Cidr[]): (request: FastifyRequest) => string {
  const byConnection = new WeakMap<Socket, string>();
  return ({ raw: { socket, headers } }) => {
    if (trustedProxies.length > 0) {
      const forwardedFor = headers['x-forwarded-for'];
      const list = Array.isArray(forwardedFor) ? forwardedFor.join() : forwardedFor;
      return clientAddress(socket.remoteAddress, list, trustedProxies);
    }
    let client = byConnection.get(socket);
    if (client === undefined) {
      client = clientAddress(socket.remoteAddress, undefined, trustedProxies);
      byConnection.set(socket, client);
    }
    return client;
  };
}

/** The lines that a header was sent in; of some headers Node.js itself keeps only the first. */
export function headerLines({ raw: { rawHeaders } }: FastifyRequest, name: string): string[] {
  const lines: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const candidate = rawHeaders[index] as string;
    if (candidate.length === name.length && candidate.toLowerCase() === name)
      lines.push(rawHeaders[index + 1] as string);
  }
  return lines;
}

export const refuseMalformed: Stage = (request, _reply, next) => {
  const { raw, originalUrl } = request;
  if (originalUrl.length > TARGET_BYTES_MAX) return next(new ApiError('uri_too_long'));
  if (raw.rawHeaders.length > HEADER_LINES_MAX * 2) return next(new ApiError('headers_too_large'));
  const hosts = headerLines(request, 'host').length;
  if (hosts > 1 || (hosts === 0 && raw.httpVersion === '1.1')) return next(new ApiError('bad_request'));
  next();
};
