// Clients that send requests without a pause and use little processor time, since they share the machine with the
// server that they measure.
import { once } from 'node:events';
import { connect } from 'node:net';

type RequestOptions = Readonly<{
  port: number;
  /** One list per connection, requested in turn. */
  paths: readonly (readonly string[])[];
  headers?: Readonly<Record<string, string>>;
  /** Total of all connections. */
  responses: number;
}>;

type RequestTimes = Readonly<{ responses: number; seconds: number; timesMs: readonly number[] }>;

export async function sendRequests({
  port,
  paths,
  headers = {},
  responses,
}: RequestOptions): Promise<RequestTimes> {
  const startedAt = performance.now();
  const perConnection = Math.ceil(responses / paths.length);
  const sent = paths.map((some) => sendOnConnection(port, some.map(asRequest(headers)), perConnection));
  const timesMs = (await Promise.all(sent)).flat();
  return { responses: timesMs.length, seconds: (performance.now() - startedAt) / 1_000, timesMs };
}

function asRequest(headers: Readonly<Record<string, string>>) {
  const lines = Object.entries({ host: 'localhost', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return (path: string) => `GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

/** Sends the next request when the last response is complete. */
async function sendOnConnection(
  port: number,
  requests: readonly string[],
  responses: number,
): Promise<number[]> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  const closed = once(socket, 'close');
  const timesMs: number[] = [];
  let sentAt = 0;
  let bytesLeft = 0;
  let failure: Error | null = null;
  const send = () => {
    sentAt = performance.now();
    socket.write(requests[timesMs.length % requests.length] as string);
  };
  socket.on('data', (chunk) => {
    bytesLeft = bytesLeft === 0 ? bytesAfter(chunk) : bytesLeft - chunk.length;
    if (Number.isNaN(bytesLeft))
      failure = new Error(`unexpected response: ${chunk.toString('latin1').slice(0, 400)}`);
    if (failure === null && bytesLeft > 0) return;
    timesMs.push(performance.now() - sentAt);
    if (failure !== null || timesMs.length >= responses) socket.end();
    else send();
  });
  send();
  await closed;
  if (failure !== null) throw failure;
  return timesMs;
}

/** The number of bytes that follow the first chunk, which contains the headers. */
function bytesAfter(chunk: Buffer): number {
  const end = chunk.indexOf('\r\n\r\n');
  const head = chunk.toString('latin1', 0, end);
  const [, length] = /\r\ncontent-length: (\d+)/i.exec(head) ?? [];
  if (!head.startsWith('HTTP/1.1 200 ') || length === undefined) return Number.NaN;
  return end + 4 + Number(length) - chunk.length;
}
