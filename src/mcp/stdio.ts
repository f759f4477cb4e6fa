// Messages on standard input and output, one per line. Nothing else may be printed there.
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { type McpServerFactory, ReadBuffer, type Transport } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
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
  const buffer = new ReadBuffer({ maxBufferSize: MESSAGE_BYTES_MAX });
  /** Requests without a response: the SDK would drop them when the input ends. */
  const open = new Set<unknown>();
  let onSettled = () => {};
  const settle = (id: unknown) => {
    open.delete(id);
    onSettled();
  };
  const transport: Transport = {
    start: async () => {},
    send: async (message) => {
      await print(JSON.stringify(message));
      if (!('method' in message)) settle(message.id);
    },
    close: async () => transport.onclose?.(),
  };
  const connection = serveStdio(factory, { transport, onerror: onError });

  function receive(bytes: Uint8Array): void {
    buffer.append(Buffer.from(bytes));
    for (;;)
      try {
        const message = buffer.readMessage();
        if (message === null) return;
        if ('method' in message && 'id' in message) open.add(message.id);
        if ('method' in message && message.method === 'notifications/cancelled')
          settle(message.params?.requestId);
        transport.onmessage?.(message);
      } catch (error) {
        onError(error as Error);
      }
  }

  async function readAll(): Promise<void> {
    for await (const bytes of input) receive(bytes);
    // The last line may have no line break.
    receive(Buffer.from('\n'));
    const settled = new Promise<void>((resolve) => {
      onSettled = () => open.size === 0 && resolve();
      onSettled();
    });
    await Promise.race([settled, delay(LAST_RESPONSES_MS_MAX, undefined, { ref: false })]);
  }

  try {
    const stopped = new Promise((resolve) => signal.addEventListener('abort', resolve));
    await Promise.race([readAll(), stopped]);
  } catch (error) {
    onError(error as Error);
    throw new Refusal('the connection was closed because of the error above; start the command again.');
  } finally {
    await connection.close().catch(onError);
    // An open input would keep the process running.
    if (input instanceof Readable) input.destroy();
  }
}
