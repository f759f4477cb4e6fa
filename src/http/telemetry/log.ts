import { constants, fstatSync, openSync, writeSync } from 'node:fs';
import { Writable } from 'node:stream';
import { type Logger, pino } from 'pino';
import type { Config } from '../../config.ts';
import { hideApiKeys } from '../../domain/access/api-key.ts';
import type { Exchange, OnSent, Trace } from '../pipeline/exchange.ts';

const STANDARD_ERROR = 2;
/** Queued lines are written once they reach this length together, or once the first has waited this long. */
const BATCH_CHARACTERS_MAX = 16_384;
const WAIT_MS_MAX = 10;

export type Log = Logger & Pick<LogSink, 'queue' | 'linesDropped'>;

/** The log goes to standard error; standard output is for the results of commands. */
export async function openLog({ logLevel, logFormat }: Pick<Config, 'logLevel' | 'logFormat'>): Promise<Log> {
  const asPretty = logFormat === 'pretty' || (logFormat === 'auto' && process.stderr.isTTY);
  const sink = openLogSink();
  return createLog(logLevel, asPretty ? await prettySink(sink) : sink);
}

export function createLog(level: Config['logLevel'], sink: Pick<LogSink, 'write'> & Partial<LogSink>): Log {
  const formatters = { level: (label: string) => ({ level: label }) };
  const log = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime, formatters }, sink);
  const { write, queue = write, linesDropped = () => 0 } = sink;
  return Object.assign(log, { queue, linesDropped });
}

async function prettySink({ write, linesDropped }: LogSink) {
  const { default: pretty } = await import('pino-pretty');
  const stream = pretty({
    destination: new Writable({
      write: (chunk, _encoding, done) => {
        write(String(chunk));
        done();
      },
    }),
    sync: true,
    colorize: process.stderr.isTTY,
    translateTime: 'SYS:HH:MM:ss.l',
    ignore: 'reqId,trace_id,span_id,trace_flags,method,route,path,status,durationMs,bytes,client,keyId',
    messageFormat: formatPretty,
  });
  return { write: (line: string) => void stream.write(line), linesDropped };
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
    if (isOn) log.queue(formatRequest(exchange, status, bytes, durationMs));
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

type LogSink = ReturnType<typeof openLogSink>;

/**
 * Writes log lines to standard error without ever waiting for its reader: a full pipe drops lines instead of blocking
 * requests. Their number is logged once the pipe has space again. pino's destination (sonic-boom) would not do: with a full
 * pipe it retries on a timer that keeps the process alive after SIGTERM, with a closed one its flush at exit never returns,
 * and each line costs fifteen times as much.
 */
export function openLogSink(fd: number = openNonBlocking(STANDARD_ERROR)) {
  let queued = '';
  let lines = 0;
  /** The end of a partial write. It must come next, or a line would be torn. */
  let rest = Buffer.alloc(0);
  let dropped = 0;
  let linesDropped = 0;

  function flush(): void {
    if (lines === 0) return;
    writeRest();
    if (rest.length === 0) {
      rest = Buffer.from(dropped > 0 ? droppedLine(dropped) + queued : queued);
      dropped = 0;
      writeRest();
    } else {
      dropped += lines;
      linesDropped += lines;
    }
    queued = '';
    lines = 0;
  }

  function writeRest(): void {
    if (rest.length === 0) return;
    try {
      rest = rest.subarray(writeSync(fd, rest));
    } catch {
      // The pipe is full, or closed.
    }
  }

  /** Writes soon, together with other lines. */
  function queue(line: string): void {
    if (lines === 0) setTimeout(flush, WAIT_MS_MAX);
    queued += line;
    lines++;
    if (queued.length > BATCH_CHARACTERS_MAX) flush();
  }

  process.on('exit', flush);
  return {
    /** Writes immediately. */
    write: (line: string): void => {
      queue(line);
      flush();
    },
    queue,
    /** Since the start. */
    linesDropped: () => linesDropped,
  };
}

/** Reopens the pipe: changing the shared file description would affect other processes too. */
function openNonBlocking(fd: number): number {
  if (!fstatSync(fd).isFIFO()) return fd;
  try {
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    return fd;
  }
}

function droppedLine(lines: number): string {
  return `${JSON.stringify({ level: 'warn', time: new Date().toISOString(), lines, msg: 'log lines dropped' })}\n`;
}
