// Records a response as sent: checked before a measurement, and copied by the baseline servers.
import http from 'node:http';

export type RecordedResponse = Readonly<{
  status: number;
  /** Alternating names and values, as sent. */
  headers: readonly string[];
  header: (name: string) => string | undefined;
  body: Buffer;
  /** Including status line and headers. */
  bytes: number;
}>;

const agent = new http.Agent({ keepAlive: true });

export async function requestOnce(
  url: string,
  headers: Record<string, string> = {},
): Promise<RecordedResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<RecordedResponse>();
  http
    .get(url, { headers, agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => resolve(recordResponse(response, Buffer.concat(chunks))));
    })
    .on('error', reject);
  return await promise;
}

function recordResponse(
  { statusCode = 0, statusMessage = '', rawHeaders, headers }: http.IncomingMessage,
  body: Buffer,
) {
  const firstLine = `HTTP/1.1 ${statusCode} ${statusMessage}\r\n`.length;
  const lines = rawHeaders.reduce((sum, text) => sum + text.length + 2, 0);
  return {
    status: statusCode,
    headers: rawHeaders,
    header: (name: string) => headers[name] as string | undefined,
    body,
    bytes: firstLine + lines + 2 + body.byteLength,
  };
}

/** The headers that a server does not add itself, for a server that sends a copy. */
export function copiedHeaders({ headers }: RecordedResponse): [name: string, value: string][] {
  const pairs = Array.from(
    { length: headers.length / 2 },
    (_, index) => [headers[index * 2], headers[index * 2 + 1]] as [string, string],
  );
  return pairs.filter(([name]) => !MADE_BY_SERVERS.has(name.toLowerCase()));
}

const MADE_BY_SERVERS = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding']);
