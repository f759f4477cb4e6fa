// Messages on standard input and output, one per line. Nothing else may be printed there.
import { Readable, Writable } from 'node:stream';
import { setTimeout as delay, setImmediate } from 'node:timers/promises';
import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type McpServerFactory,
} from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { Refusal } from '../errors.ts';

const MESSAGE_BYTES_MAX = 4 * 1024 * 1024;
/** For the requests before the end of the input, as in `printf … | changelog mcp`. */
const LAST_RESPONSES_MS_MAX = 10_000;

export type Streams = Readonly<{
  input: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  /** Gets each message without its line break. */
  print: (line: string) => void | Promise<void>;
  onError: (error: Error) => void;
  /** Ends the connection. */
  signal: AbortSignal;
}>;

/** Serves one client until it closes the input and has all responses, or until the signal. */
export async function serveStreams(factory: McpServerFactory, streams: Streams): Promise<void> {
  const { input, print, onError, signal } = streams;
  const requests = trackRequests();
  let hasEnded = false;
  async function* untilAnswered() {
    yield* input;
    // The last line may have no line break. It is parsed in a later tick.
    yield Buffer.from('\n');
    await setImmediate();
    await Promise.race([requests.answered(), delay(LAST_RESPONSES_MS_MAX, undefined, { ref: false })]);
    hasEnded = true;
  }
  const messages = Readable.from(untilAnswered(), { objectMode: false });
  const transport = new StdioServerTransport(messages, lineWriter(print), {
    maxBufferSize: MESSAGE_BYTES_MAX,
  });
  const send = transport.send.bind(transport);
  transport.send = async (message) => {
    await send(message);
    requests.onSent(message);
  };
  const connection = serveStdio(factory, { transport, onerror: onError });
  const { onmessage, onclose } = transport;
  transport.onmessage = (message) => {
    requests.onReceived(message);
    onmessage?.(message);
  };
  await new Promise<void>((resolve) => {
    transport.onclose = () => {
      onclose?.();
      resolve();
    };
    const stop = () => void connection.close().catch(onError);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  if (!hasEnded) release(input, messages);
  if (!hasEnded && !signal.aborted)
    throw new Refusal('the connection was closed because of the error above; start the command again.');
}

/** An open input would keep the process running. Whoever still waits for it gets an error that no longer matters. */
function release(input: Streams['input'], messages: Readable): void {
  messages.on('error', () => {});
  if (input instanceof Readable) input.destroy();
}

/** The SDK drops requests that are open when the input ends, and a client in a pipe would never get a response. */
function trackRequests() {
  const open = new Set<unknown>();
  let onAnswered = () => {};
  const close = (id: unknown) => {
    open.delete(id);
    if (open.size === 0) onAnswered();
  };
  return {
    onReceived: (message: JSONRPCMessage) => {
      if (isJSONRPCRequest(message)) open.add(message.id);
      else if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled')
        close(message.params?.requestId);
    },
    onSent: (message: JSONRPCMessage) => {
      if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) close(message.id);
    },
    answered: () =>
      new Promise<void>((resolve) => {
        onAnswered = resolve;
        if (open.size === 0) resolve();
      }),
  };
}

function lineWriter(print: Streams['print']): Writable {
  return new Writable({
    decodeStrings: false,
    write: (chunk: string, _encoding, done) => {
      Promise.resolve(print(chunk.replace(/\n$/, ''))).then(() => done(), done);
    },
  });
}
