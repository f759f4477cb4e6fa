// Measures two kinds of requests in random order.
import { once } from 'node:events';
import net from 'node:net';

/** The first samples only warm up. */
const WARM_UP = { share: 0.05, min: 20 };

type Times = readonly [Float64Array, Float64Array];

/** Measures one request of a kind, in microseconds; kind 0 is hidden. */
type Measure = (kind: 0 | 1, turn: number) => Promise<number>;

/** Chooses the kind at random each time, so that other load cannot affect one kind more. */
export async function sample(samples: number, measure: Measure): Promise<Times> {
  const times: Times = [new Float64Array(samples), new Float64Array(samples)];
  const counts: [number, number] = [0, 0];
  const warmUp = Math.max(WARM_UP.min, Math.ceil(samples * WARM_UP.share));
  for (let turn = -warmUp; counts[0] < samples || counts[1] < samples; turn++) {
    const kind = Math.random() < 0.5 ? 0 : 1;
    const time = await measure(kind, turn + warmUp);
    // One kind reaches its count earlier; it continues, so that the order stays random.
    if (turn >= 0 && counts[kind] < samples) times[kind][counts[kind]++] = time;
  }
  return times;
}

export async function timed(work: () => unknown): Promise<number> {
  const startedAt = process.hrtime.bigint();
  await work();
  return Number(process.hrtime.bigint() - startedAt) / 1_000;
}

export type Connection = Readonly<{
  /** Resolves with the status when the response is complete. */
  send: (request: Buffer) => Promise<number>;
  close: () => void;
}>;

/** A keep-alive connection with as little code as possible between socket and clock. */
export async function connect(port: number): Promise<Connection> {
  const socket = net.connect({ host: '127.0.0.1', port, noDelay: true });
  await once(socket, 'connect');
  let received = '';
  let settle: { resolve: (status: number) => void; reject: (error: Error) => void } | null = null;
  socket.setEncoding('latin1');
  socket.on('data', (chunk: string) => {
    received += chunk;
    const end = received.indexOf('\r\n\r\n');
    if (end === -1) return;
    const length = Number(/^content-length: (\d+)/im.exec(received.slice(0, end))?.[1] ?? 0);
    if (received.length < end + 4 + length) return;
    const status = Number(received.slice(9, 12));
    received = '';
    settle?.resolve(status);
  });
  socket.on('close', () => settle?.reject(new Error('the server closed the connection')));
  socket.on('error', (error) => settle?.reject(error));
  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        settle = { resolve, reject };
        socket.write(request);
      }),
    close: () => void socket.destroy(),
  };
}

export function writeRequest(path: string, headers: Readonly<Record<string, string>> = {}): Buffer {
  const lines = Object.entries({ host: 'localhost', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return Buffer.from(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
}
