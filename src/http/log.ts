import { Writable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type DestinationStream, type Logger, pino } from 'pino';
import pretty from 'pino-pretty';
import type { Config } from '../config.ts';
import { openLogSink } from './log-sink.ts';

export type Log = Logger;

/** The log goes to standard error: standard output belongs to what a command was asked for. */
export function openLog({ logLevel, logFormat }: Pick<Config, 'logLevel' | 'logFormat'>): Log {
  const asPretty = logFormat === 'pretty' || (logFormat === 'auto' && process.stderr.isTTY);
  const sink = openLogSink();
  return createLog(logLevel, asPretty ? prettyStream(sink) : sink);
}

export function createLog(level: Config['logLevel'], stream: DestinationStream): Log {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, stream);
}

function prettyStream(sink: DestinationStream): DestinationStream {
  return pretty({
    destination: new Writable({
      write: (chunk, _encoding, done) => {
        sink.write(String(chunk));
        done();
      },
    }),
    sync: true,
    colorize: process.stderr.isTTY,
    translateTime: 'SYS:HH:MM:ss.l',
    ignore: 'reqId,method,route,status,durationMs,bytes,client,keyId',
    messageFormat: writeForPeople,
  });
}

function writeForPeople(line: Record<string, unknown>): string {
  const { msg, reqId, method, route, status, durationMs, bytes, client, keyId } = line;
  if (method === undefined)
    return [msg, status, client, reqId].filter((part) => part !== undefined).join(' ');
  const who = keyId === null ? client : `${client} ${keyId}`;
  return `${method} ${route ?? '(unknown)'} ${status} ${durationMs} ms ${bytes} B ${who} ${reqId}`;
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
