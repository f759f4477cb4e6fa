import { Writable } from 'node:stream';
import { type DestinationStream, type Logger, pino } from 'pino';
import type { Config } from '../../config.ts';
import { hideApiKeys } from '../../domain/access/api-key.ts';
import type { Exchange, OnSent, Trace } from '../pipeline/exchange.ts';
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
  const formatters = { level: (label: string) => ({ level: label }) };
  const log = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime, formatters }, stream);
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
    ignore: 'reqId,trace_id,span_id,trace_flags,method,route,path,status,durationMs,bytes,client,keyId',
    messageFormat: formatPretty,
  });
}

function formatPretty(line: Record<string, unknown>): string {
  const { msg, reqId, method, path, status, durationMs, bytes, client, keyId } = line;
  if (method === undefined)
    return [msg, status, client, reqId].filter((part) => part !== undefined).join(' ');
  const who = keyId === null ? client : `${client} ${keyId}`;
  return `${method} ${path} ${status} ${durationMs} ms ${bytes} B ${who} ${reqId}`;
}

/** One line per request, like pino's, but much cheaper to format since no value needs escaping. */
export function createRequestLog(log: Log): OnSent {
  const isOn = log.isLevelEnabled('info');
  return (exchange, status, bytes, durationMs) => {
    if (isOn) log.queueLine(formatRequest(exchange, status, bytes, durationMs));
  };
}

function formatRequest(exchange: Exchange, status: number, bytes: number, durationMs: number): string {
  const { id, trace, request, client, keyId } = exchange;
  const route = exchange.route && `"${exchange.route}"`;
  const target = request.url ?? '';
  if (target !== lastTarget) lastPath = loggedPath(target);
  lastTarget = target;
  return (
    `{"level":"info","time":"${formatTime(Date.now())}","reqId":"${id}",${formatTrace(trace)}` +
    `"method":"${request.method}","route":${route},"path":"${lastPath}","status":${status},"durationMs":${durationMs.toFixed(3)},"bytes":${bytes},"client":"${client}",` +
    `"keyId":${keyId === null ? null : JSON.stringify(keyId)},"msg":"request"}\n`
  );
}

/** Most requests ask for what the one before them asked for. */
let lastTarget = '';
let lastPath = '';

const PATH_CHARACTERS_MAX = 200;
/** Nothing to escape, and no segment that may contain an API key. */
const PLAIN_PATH = /^(?:\/[A-Za-z\d.~-]{0,37})*$/;
const ENCODED_WORD_CHARACTER = /%(?:3\d|[46][1-9a-f]|[57][\da]|5f)/gi;
const UNSAFE_CHARACTER = /[^!#-[\]-~]/g;

/** The path of a request as it was sent, without its query, credentials and API keys. */
export function loggedPath(target: string): string {
  const end = target.search(/[?#]/);
  const path = (end === -1 ? target : target.slice(0, end)).replace(/^[\w+.-]+:\/\/[^/]*/, '');
  if (path.length <= PATH_CHARACTERS_MAX && PLAIN_PATH.test(path)) return path;
  const escaped = path
    .replaceAll(ENCODED_WORD_CHARACTER, decodeURIComponent)
    .replaceAll(UNSAFE_CHARACTER, (character) => `%${Buffer.from(character, 'latin1').toString('hex')}`);
  const hidden = hideApiKeys(escaped);
  return hidden.length <= PATH_CHARACTERS_MAX ? hidden : `${hidden.slice(0, PATH_CHARACTERS_MAX - 1)}…`;
}

function formatTrace(trace: Trace | null): string {
  if (trace === null) return '';
  const { trace_id, span_id, trace_flags } = trace;
  return `"trace_id":"${trace_id}","span_id":"${span_id}","trace_flags":"${trace_flags}",`;
}

let lastTimeMs = 0;
let lastTime = '';

/** Many lines share a millisecond. */
function formatTime(timeMs: number): string {
  if (timeMs !== lastTimeMs) lastTime = new Date(timeMs).toISOString();
  lastTimeMs = timeMs;
  return lastTime;
}
