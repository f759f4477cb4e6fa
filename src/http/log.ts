import { Writable } from 'node:stream';
import { type DestinationStream, type Logger, pino } from 'pino';
import type { Config } from '../config.ts';
import { openLogSink } from './log-sink.ts';
import type { Note } from './send.ts';

/** `writeLine` takes a line that is written already. */
export type Log = Logger & Readonly<{ writeLine: (line: string) => void }>;

/** The log goes to standard error: standard output belongs to what a command was asked for. */
export async function openLog({ logLevel, logFormat }: Pick<Config, 'logLevel' | 'logFormat'>): Promise<Log> {
  const asPretty = logFormat === 'pretty' || (logFormat === 'auto' && process.stderr.isTTY);
  const sink = openLogSink();
  return createLog(logLevel, asPretty ? await prettyStream(sink) : sink);
}

export function createLog(level: Config['logLevel'], stream: DestinationStream): Log {
  const log = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, stream);
  return Object.assign(log, { writeLine: (line: string) => void stream.write(line) });
}

/** Loaded only where people read. */
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

/**
 * One line a request, in the form of the others. It is written by hand, which costs a fraction of what the library takes
 * for any object: nothing in it can need an escape. The address is logged as its pattern: what people type into one may
 * be secret.
 */
export function createRequestLog(log: Log): Note {
  const isOn = log.isLevelEnabled('info');
  let timeMs = 0;
  let time = '';

  return (request, { status, bytes }) => {
    if (!isOn) return;
    const nowMs = Date.now();
    if (nowMs !== timeMs) {
      timeMs = nowMs;
      time = new Date(nowMs).toISOString();
    }
    const { id, method, route, client, keyId } = request;
    const durationMs = writeMs(performance.now() - request.startedAt);
    log.writeLine(
      `{"level":30,"time":"${time}","reqId":"${id}","method":"${method}","route":${route === null ? null : `"${route}"`},` +
        `"status":${status},"durationMs":${durationMs},"bytes":${bytes},"client":"${client}",` +
        `"keyId":${JSON.stringify(keyId)},"msg":"request"}\n`,
    );
  };
}

/** With three digits behind the point, from two whole numbers: to write a fraction takes several times as long. */
function writeMs(ms: number): string {
  const whole = Math.floor(ms);
  return `${whole}.${String(1_000 + Math.floor((ms - whole) * 1_000)).slice(1)}`;
}
