import type { FastifyReply, FastifyRequest } from 'fastify';
import { type DestinationStream, type Logger, pino } from 'pino';
import pretty from 'pino-pretty';
import type { Config } from '../config.ts';

export type Log = Logger;

const STANDARD_ERROR = 2;

/** The log goes to standard error: standard output belongs to what a command was asked for. */
export function openLog({ logLevel, logFormat }: Pick<Config, 'logLevel' | 'logFormat'>): Log {
  const asPretty = logFormat === 'pretty' || (logFormat === 'auto' && process.stderr.isTTY);
  return createLog(
    logLevel,
    asPretty ? prettyStream() : pino.destination({ dest: STANDARD_ERROR, sync: true }),
  );
}

export function createLog(level: Config['logLevel'], stream: DestinationStream): Log {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, stream);
}

function prettyStream(): DestinationStream {
  return pretty({
    destination: STANDARD_ERROR,
    sync: true,
    translateTime: 'SYS:HH:MM:ss.l',
    ignore: 'reqId,method,route,status,durationMs,bytes,client,keyId',
    messageFormat: '{msg} {method} {route} {status} {durationMs}ms {bytes}B {client} {keyId}',
  });
}

/** One line a request. The address is logged as its pattern: what people type into one may be secret. */
export async function logRequest(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  request.log.info(
    {
      method: request.method,
      route: request.routeOptions.url ?? null,
      status: reply.statusCode,
      durationMs: Math.round(reply.elapsedTime * 1000) / 1000,
      bytes: bytesSent(request, reply),
      client: request.client,
      keyId: request.keyId,
    },
    'request',
  );
}

function bytesSent(request: FastifyRequest, reply: FastifyReply): number {
  if (request.method === 'HEAD') return 0;
  return Number(reply.getHeader('content-length') ?? 0);
}
