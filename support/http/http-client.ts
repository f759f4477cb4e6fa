import http from 'node:http';

export type HttpResponse = Readonly<{
  status: number;
  headers: http.IncomingHttpHeaders;
  body: string;
  /** From the start of the request to the last byte of the response. */
  ms: number;
}>;

export type HttpClient = Readonly<{
  get: (url: string, headers?: Record<string, string>) => Promise<HttpResponse>;
  close: () => void;
}>;

/** A client with keep-alive connections, one per concurrent request. */
export function openClient(): HttpClient {
  const agent = new http.Agent({ keepAlive: true });
  return {
    get: (url, headers = {}) => get(agent, url, headers),
    close: () => agent.destroy(),
  };
}

function get(agent: http.Agent, url: string, headers: Record<string, string>): Promise<HttpResponse> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const request = http.get(url, { agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks).toString(),
          ms: performance.now() - startedAt,
        }),
      );
    });
    request.on('error', reject);
  });
}
