// HTTP as bytes on a socket, for requests and responses that a normal client cannot send or see.
import { once } from 'node:events';
import net from 'node:net';

export type RawResponse = {
  status: number;
  headers: Record<string, string>;
  headerLines: string[];
  body: string;
};

/** Sends bytes and returns everything until the server closes the connection. `closing` half-closes it after sending. */
export async function exchange(
  port: number,
  bytes: string | Buffer,
  { closing = false } = {},
): Promise<string> {
  const socket = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.on('error', () => {});
  socket.on('end', () => socket.end());
  socket.write(bytes);
  if (closing) socket.end();
  await once(socket, 'close');
  return Buffer.concat(chunks).toString('latin1');
}

/** One request on a new connection. */
export async function rawRequest(port: number, head: readonly string[], body = ''): Promise<RawResponse> {
  return parseResponse(await exchange(port, [...head, 'Connection: close', '', body].join('\r\n')));
}

export function parseResponse(text: string): RawResponse {
  const split = text.indexOf('\r\n\r\n');
  const [statusLine = '', ...headerLines] = text.slice(0, split).split('\r\n');
  const headers = Object.fromEntries(
    headerLines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  );
  return { status: Number(statusLine.split(' ')[1]), headers, headerLines, body: text.slice(split + 4) };
}
