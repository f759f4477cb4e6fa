// Mutations of the bytes of a request.
import fc from 'fast-check';

export type Mutation = Readonly<{ how: keyof typeof MUTATIONS; at: number; amount: number }>;

/** `at` is a position in the bytes. */
const MUTATIONS = {
  cut: (bytes: string, at: number) => bytes.slice(0, at),
  flip: (bytes: string, at: number, amount: number) =>
    splice(bytes, at, 1, String.fromCharCode(bytes.charCodeAt(at) ^ (1 << (amount % 8)))),
  drop: (bytes: string, at: number, amount: number) => splice(bytes, at, 1 + (amount % 20), ''),
  insertControl: (bytes: string, at: number, amount: number) =>
    splice(bytes, at, 0, String.fromCharCode(amount % 32)),
  insertHigh: (bytes: string, at: number, amount: number) =>
    splice(bytes, at, 0, String.fromCharCode(127 + (amount % 129))),
  insertLineBreak: (bytes: string, at: number) => splice(bytes, at, 0, '\r\n'),
  insertMuch: (bytes: string, at: number, amount: number) =>
    splice(bytes, at, 0, 'a'.repeat(1 + amount * 20)),
  repeatLine: (bytes: string, at: number, amount: number) => {
    const start = bytes.lastIndexOf('\n', at) + 1;
    const line = bytes.slice(start, bytes.indexOf('\n', at) + 1);
    return splice(bytes, start, 0, line.repeat(1 + (amount % 150)));
  },
  insertHeader: (bytes: string, _at: number, amount: number) =>
    bytes.replace('\r\n', `\r\n${SMUGGLED[amount % SMUGGLED.length]}\r\n`),
  bareLineFeeds: (bytes: string) => bytes.replaceAll('\r\n', '\n'),
  otherVersion: (bytes: string, _at: number, amount: number) =>
    bytes.replace('HTTP/1.1', VERSIONS[amount % VERSIONS.length] ?? ''),
  otherProtocol: (bytes: string, _at: number, amount: number) =>
    bytes.replace(/^\S+ (\S+) \S+/, OTHER_PROTOCOLS[amount % OTHER_PROTOCOLS.length] ?? ''),
  pipeline: (bytes: string, _at: number, amount: number) => bytes.repeat(1 + (amount % 8)),
} satisfies Record<string, (bytes: string, at: number, amount: number) => string>;

const VERSIONS = ['HTTP/1.0', 'HTTP/0.9', 'HTTP/2.0', 'HTTP/1.2', 'http/1.1', 'HTTP/1.1 ', 'RTSP/1.0', ''];

/** The parser of Node.js accepts more protocols than HTTP. */
const OTHER_PROTOCOLS = [
  'DESCRIBE $1 RTSP/1.0',
  'PLAY $1 RTSP/1.0',
  'SOURCE $1 ICE/1.0',
  'PRI * HTTP/2.0\r\n\r\nSM',
];

const SMUGGLED = [
  'Content-Length: 5',
  'Content-Length: -1',
  'Content-Length: 99999999999999999999',
  'Content-Length : 3',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: gzip, chunked',
  'Transfer-Encoding: chunked, identity',
  'Transfer-Encoding:\x0bchunked',
  ' folded: line',
  ': no name',
  'No colon',
  'Authorization',
  'Trailer: Authorization',
  'Host: test:99999/\\@',
];

function splice(text: string, at: number, removed: number, inserted: string): string {
  return text.slice(0, at) + inserted + text.slice(at + removed);
}

const PLACES = 10_000;

export const mutation: fc.Arbitrary<Mutation> = fc.record({
  how: fc.constantFrom(...(Object.keys(MUTATIONS) as (keyof typeof MUTATIONS)[])),
  at: fc.nat(PLACES - 1),
  amount: fc.nat(1_000),
});

export function mutate(bytes: string, { how, at, amount }: Mutation): string {
  return MUTATIONS[how](bytes, Math.floor((at * bytes.length) / PLACES), amount);
}
