// The limit of the runtime: a plain `node:http` server that only sends one fixed response.
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A short body is fastest as text, which is sent in one chunk with the headers, and a long one as bytes, which are not
 * copied. Headers as an object are as fast as a list.
 */
const TEXT_BYTES_MAX = 16 * 1024;

const [file = ''] = process.argv.slice(2);
const recorded = JSON.parse(readFileSync(file, 'utf8'));
const headers = Object.fromEntries(recorded.headers);
const bytes = Buffer.from(recorded.body, 'base64');
const body = bytes.byteLength > TEXT_BYTES_MAX ? bytes : bytes.toString();

const send: RequestListener = (_, response) => {
  response.writeHead(200, headers).end(body);
};
const server = createServer({ keepAliveTimeout: recorded.keepAliveMs }, send);
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`listening on http://127.0.0.1:${port}\n`);
});
