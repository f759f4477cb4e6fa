// Chooses a response's encoding, and compresses it.
import { Readable, type Transform } from 'node:stream';
import { constants, createBrotliCompress, createGzip, createZstdCompress } from 'node:zlib';

export const ENCODINGS = ['br', 'zstd', 'gzip'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** Clients send few distinct headers; beyond this many, they are parsed each time. */
const PARSED_MAX = 100;

const parsed = new Map<string, Encoding | null>();

/** The client's preferred encoding, or the smallest of several; null for none. */
export function chooseEncoding(acceptEncoding: string | undefined): Encoding | null {
  if (acceptEncoding === undefined) return null;
  let chosen = parsed.get(acceptEncoding);
  if (chosen === undefined) {
    chosen = parseAcceptEncoding(acceptEncoding);
    if (parsed.size < PARSED_MAX) parsed.set(acceptEncoding, chosen);
  }
  return chosen;
}

function parseAcceptEncoding(header: string): Encoding | null {
  const weights = new Map(header.toLowerCase().split(',').map(parseItem));
  const weightOf = (name: string) => weights.get(name) ?? weights.get('*') ?? 0;
  const best = ENCODINGS.reduce((one, other) => (weightOf(other) > weightOf(one) ? other : one));
  // A client that does not mention `identity` accepts it only as a last resort.
  const plainWeight = weights.get('identity') ?? 0;
  return weightOf(best) > 0 && weightOf(best) >= plainWeight ? best : null;
}

/** Parses `gzip;q=0.5`. `x-gzip` is an old alias. A weight that is not a number counts as 0. */
function parseItem(item: string): [name: string, weight: number] {
  const [name = '', ...parameters] = item.split(';').map((part) => part.trim());
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  return [name === 'x-gzip' ? 'gzip' : name, weight === undefined ? 1 : Number(weight) || 0];
}

export type Levels = Readonly<Record<Encoding, number>>;

/** Each response is compressed once, on another thread, but the first client waits for it. */
const QUICK: Levels = { br: 6, zstd: 10, gzip: 8 };
/** For files that pages of other sites wait for. */
export const SMALLEST: Levels = { br: 11, zstd: 19, gzip: 9 };

/** Without smaller windows and tables, the levels take longer and up to 25 MB per long response, and save next to nothing. */
const COMPRESSORS: Record<Encoding, (bytes: number, level: number) => Transform> = {
  br: (bytes, level) =>
    createBrotliCompress({
      params: {
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_QUALITY]: level,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes,
        [constants.BROTLI_PARAM_LGWIN]: 16,
      },
    }),
  zstd: (bytes, level) =>
    createZstdCompress({
      params: {
        [constants.ZSTD_c_compressionLevel]: level,
        [constants.ZSTD_c_windowLog]: 18,
        [constants.ZSTD_c_hashLog]: 16,
        [constants.ZSTD_c_chainLog]: 16,
      },
      pledgedSrcSize: bytes,
    }),
  gzip: (_, level) => createGzip({ level }),
};

/** `bytes` is the total size of the pieces. */
export async function compress(
  pieces: readonly Buffer[],
  bytes: number,
  encoding: Encoding,
  levels = QUICK,
): Promise<readonly Buffer[]> {
  return await Readable.from(pieces).pipe(COMPRESSORS[encoding](bytes, levels[encoding])).toArray();
}
