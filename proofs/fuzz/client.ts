// A byte-level HTTP client: sends any bytes, and is strict about the response.
import { once } from 'node:events';
import net from 'node:net';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';

export type RawResponse = Readonly<{
  status: number;
  headers: ReadonlyMap<string, string>;
  body: string;
  /** False if the request was, or may have been, a HEAD request. */
  hasBody: boolean;
}>;

/** How the client ends a connection after sending arbitrary bytes. */
export const ENDINGS = ['half-close', 'await', 'abandon'] as const;
export type Ending = (typeof ENDINGS)[number];

const COUNT_MS_MAX = 30_000;
/** After this time without a response, the client assumes that the server waits for more bytes. */
const QUIET_MS = 30;
const HOST = '127.0.0.1';

/** Sends well-formed requests one after another, on one connection while the server keeps it open. */
export class KeepAlive {
  readonly #port: number;
  #socket: net.Socket | null = null;
  #received = '';

  constructor(port: number) {
    this.#port = port;
  }

  async send(bytes: string, method: string): Promise<RawResponse> {
    try {
      if (this.#received !== '') throw new Error(`unrequested bytes: ${this.#received}`);
      const socket = this.#socket ?? (await this.#connect());
      socket.write(bytes, 'latin1');
      const response = await this.#receive(socket, method);
      if (isLast(response)) this.close();
      return response;
    } catch (error) {
      this.close();
      throw error;
    }
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = null;
    this.#received = '';
  }

  async #connect(): Promise<net.Socket> {
    const socket = net.connect({ port: this.#port, host: HOST, noDelay: true });
    socket.setEncoding('latin1');
    await once(socket, 'connect');
    socket.on('data', (text: string) => {
      if (this.#socket === socket) this.#received += text;
    });
    // A failure shows as a missing response.
    socket.on('error', () => {});
    socket.on('close', () => {
      if (this.#socket === socket) this.#socket = null;
    });
    this.#socket = socket;
    return socket;
  }

  #receive(socket: net.Socket, method: string): Promise<RawResponse> {
    return new Promise((resolve, reject) => {
      const settle = (end: () => void) => {
        clearTimeout(timer);
        socket.off('data', look);
        socket.off('close', onClose);
        end();
      };
      const onClose = () => settle(() => reject(new Error(`closed without a response: ${this.#received}`)));
      const look = () => {
        try {
          const read = parseResponse(this.#received, () => method !== 'HEAD');
          if (read === null) return;
          this.#received = read.rest;
          settle(() => resolve(read.response));
        } catch (error) {
          settle(() => reject(error));
        }
      };
      const timer = setTimeout(
        () => settle(() => reject(new Error(`no response in ${COUNT_MS_MAX} ms`))),
        COUNT_MS_MAX,
      );
      socket.on('data', look);
      socket.on('close', onClose);
    });
  }
}

/** Sends any bytes on a new connection and returns the responses until it is closed. */
export async function sendRaw(port: number, bytes: string, ending: Ending): Promise<RawResponse[]> {
  const socket = net.connect({ port, host: HOST, allowHalfOpen: true });
  let received = '';
  let failure: NodeJS.ErrnoException | null = null;
  socket.setEncoding('latin1');
  socket.on('data', (text: string) => {
    received += text;
  });
  socket.on('error', (error: NodeJS.ErrnoException) => {
    failure = error;
  });
  socket.on('end', () => socket.end());
  socket.write(bytes, 'latin1', () => endAs(ending, socket));
  const closed = await closedWithin(socket, COUNT_MS_MAX);
  if (!closed) throw new Error(`the connection stayed open for ${COUNT_MS_MAX} ms`);
  return parseResponses(received, { mayBeCut: failure !== null || ending === 'abandon' });
}

function endAs(ending: Ending, socket: net.Socket): void {
  if (ending === 'half-close') socket.end();
  if (ending === 'await') socket.setTimeout(QUIET_MS, () => socket.end());
  if (ending === 'abandon') socket.resetAndDestroy();
}

function closedWithin(socket: net.Socket, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      resolve(false);
      socket.destroy();
    }, ms);
    socket.once('close', () => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}

function parseResponses(text: string, { mayBeCut }: { mayBeCut: boolean }): RawResponse[] {
  const responses: RawResponse[] = [];
  for (let rest = text; rest !== ''; ) {
    // No body starts like a response, so the bytes after the headers show whether there is one.
    const read = parseResponse(rest, (after) => after !== '' && !after.startsWith('HTTP/1.'));
    if (read === null && !mayBeCut) throw new Error(`incomplete response: ${rest}`);
    if (read === null) break;
    responses.push(read.response);
    rest = read.rest;
    if (isLast(read.response) && rest !== '') throw new Error(`bytes after the last response: ${text}`);
  }
  return responses;
}

/** Whether the server announces that it closes the connection. */
function isLast({ headers }: RawResponse): boolean {
  return headers.get('connection') === 'close';
}

/** The first response in the text and what follows it, or null if it is not complete yet. */
export function parseResponse(
  text: string,
  isBodyExpected: (after: string) => boolean,
): { response: RawResponse; rest: string } | null {
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return null;
  const [statusLine = '', ...lines] = text.slice(0, end).split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
  if (Number.isNaN(status)) throw new Error(`not an HTTP response: ${text}`);
  const after = text.slice(end + 4);
  if (status === 100) return parseResponse(after, isBodyExpected);

  const headers = new Map(lines.map(readHeader));
  const hasBody = status !== 204 && status !== 304 && isBodyExpected(after);
  const length = hasBody ? Number(headers.get('content-length')) : 0;
  if (Number.isNaN(length)) throw new Error(`response without Content-Length: ${text}`);
  if (after.length < length) return null;
  const bytes = Buffer.from(after.slice(0, length), 'latin1');
  const encoding = headers.get('content-encoding');
  const body = (encoding === undefined || !hasBody ? bytes : decompress(bytes, encoding)).toString();
  return { response: { status, headers, body, hasBody }, rest: after.slice(length) };
}

function readHeader(line: string): [name: string, value: string] {
  const colon = line.indexOf(':');
  if (colon < 1) throw new Error(`not a header line: ${line}`);
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}

/** Compressed responses must not leak hidden content either. */
function decompress(bytes: Buffer, encoding: string): Buffer {
  if (encoding === 'br') return brotliDecompressSync(bytes);
  if (encoding === 'zstd') return zstdDecompressSync(bytes);
  if (encoding === 'gzip') return gunzipSync(bytes);
  throw new Error(`unknown encoding: ${encoding}`);
}
