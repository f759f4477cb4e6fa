import { Writable } from 'node:stream';
import { type DestinationStream, type Logger, pino } from 'pino';
import type { Config } from '../../config.ts';
import type { Exchange, OnSent } from '../pipeline/exchange.ts';
import type { Trace } from '../pipeline/trace.ts';
import { type LogSink, openLogSink } from './log-sink.ts';

/** `queueLine` takes a formatted line that may be written a little later. */
export type Log = Logger & Readonly<{ queueLine: (line: string) => void }> & Pick<LogSink, 'linesDropped'>;

/** The log goes to standard error; standard output is for the results of commands. */
export async function openLog({ logLevel, logFormat }: Pick<Config, 'logLevel' | 'logFormat'>): Promise<Log> {
  const asPretty = logFormat === 'pretty' || (logFormat === 'auto' && process.stderr.isTTY);
  const sink = openLogSink();
  return createLog(logLevel, asPretty ? await prettyStream(sink) : sink, sink.linesDropped);
}

export function createLog(
  level: Config['logLevel'],
  stream: DestinationStream & Partial<LogSink>,
  linesDropped = () => 0,
): Log {
  const log = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, stream);
  const queue = stream.queue ?? stream.write.bind(stream);
  return Object.assign(log, { queueLine: (line: string) => void queue(line), linesDropped });
}

async function prettyStream(sink: DestinationStream): Promise<DestinationStream> {
  const { default: pretty } = await import('pino-pretty');
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
    ignore: 'reqId,trace_id,span_id,trace_flags,method,route,status,durationMs,bytes,client,keyId',
    messageFormat: formatPretty,
  });
}

function formatPretty(line: Record<string, unknown>): string {
  const { msg, reqId, method, route, status, durationMs, bytes, client, keyId } = line;
  if (method === undefined)
    return [msg, status, client, reqId].filter((part) => part !== undefined).join(' ');
  const who = keyId === null ? client : `${client} ${keyId}`;
  return `${method} ${route ?? '(unknown)'} ${status} ${durationMs} ms ${bytes} B ${who} ${reqId}`;
}

/**
 * One line per request, like pino's, but much cheaper to format since no value needs escaping. The path is logged as
 * the route's pattern: clients may put secrets into paths.
 */
export function createRequestLog(log: Log): OnSent {
  const isOn = log.isLevelEnabled('info');
  return (exchange, status, bytes, durationMs) => {
    if (isOn) log.queueLine(formatRequest(exchange, status, bytes, durationMs));
  };
}

function formatRequest(exchange: Exchange, status: number, bytes: number, durationMs: number): string {
  const { id, trace, request, client, keyId } = exchange;
  const route = exchange.route && `"${exchange.route}"`;
  return (
    `{"level":30,"time":"${formatTime(Date.now())}","reqId":"${id}",${formatTrace(trace)}` +
    `"method":"${request.method}","route":${route},"status":${status},"durationMs":${formatMs(durationMs)},"bytes":${bytes},"client":"${client}",` +
    `"keyId":${keyId === null ? null : JSON.stringify(keyId)},"msg":"request"}\n`
  );
}

function formatTrace(trace: Trace | null): string {
  if (trace === null) return '';
  const { trace_id, span_id, trace_flags } = trace;
  return `"trace_id":"${trace_id}","span_id":"${span_id}","trace_flags":"${trace_flags}",`;
}

const THOUSANDTHS = Array.from({ length: 1_000 }, (_, index) => String(index).padStart(3, '0'));

/** Like `toFixed(3)`, which costs as much as the rest of the line. */
export function formatMs(ms: number): string {
  const microseconds = Math.round(ms * 1_000);
  return `${Math.floor(microseconds / 1_000)}.${THOUSANDTHS[microseconds % 1_000]}`;
}

let lastTimeMs = 0;
let lastTime = '';

/** Many lines share a millisecond. */
function formatTime(timeMs: number): string {
  if (timeMs !== lastTimeMs) lastTime = new Date(timeMs).toISOString();
  lastTimeMs = timeMs;
  return lastTime;
}
