// In which of the forms that clients understand an answer is sent, and how those forms are made.
import { Readable, type Transform } from 'node:stream';
import { constants, createBrotliCompress, createGzip, createZstdCompress } from 'node:zlib';

export const ENCODINGS = ['br', 'zstd', 'gzip'] as const;
export type Encoding = (typeof ENCODINGS)[number];

const IDENTITY = 'identity';
/** Clients send few different lists; whoever makes up more is read anew each time. */
const READ_LISTS_MAX = 100;

const readBefore = new Map<string, Encoding | null>();

/** The smallest form among those that a client likes best, or null for the bytes as they are. */
export function chooseEncoding(acceptEncoding: string | undefined): Encoding | null {
  if (acceptEncoding === undefined) return null;
  let chosen = readBefore.get(acceptEncoding);
  if (chosen === undefined) {
    chosen = readAcceptEncoding(acceptEncoding);
    if (readBefore.size < READ_LISTS_MAX) readBefore.set(acceptEncoding, chosen);
  }
  return chosen;
}

function readAcceptEncoding(list: string): Encoding | null {
  const weights = new Map(list.toLowerCase().split(',').map(readItem));
  const weightOf = (name: string) => weights.get(name) ?? weights.get('*') ?? 0;
  const best = ENCODINGS.reduce((one, other) => (weightOf(other) > weightOf(one) ? other : one));
  // What a client does not speak of is acceptable as it is, but only if nothing else is.
  const plainWeight = weights.get(IDENTITY) ?? 0;
  return weightOf(best) > 0 && weightOf(best) >= plainWeight ? best : null;
}

/** `gzip;q=0.5`; `x-gzip` is an old name of it. A weight that is no number is none. */
function readItem(item: string): [name: string, weight: number] {
  const [name = '', ...parameters] = item.split(';').map((part) => part.trim());
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  return [name === 'x-gzip' ? 'gzip' : name, weight === undefined ? 1 : Number(weight) || 0];
}

const BROTLI_QUALITY = 6;
const GZIP_LEVEL = 8;
const ZSTD_LEVEL = 10;

/** Made by threads of their own, once for each response: worth some time, but a first client waits for it. */
const COMPRESSORS: Record<Encoding, (bytes: number) => Transform> = {
  br: (bytes) =>
    createBrotliCompress({
      params: {
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes,
      },
    }),
  zstd: (bytes) =>
    createZstdCompress({
      params: { [constants.ZSTD_c_compressionLevel]: ZSTD_LEVEL },
      pledgedSrcSize: bytes,
    }),
  gzip: () => createGzip({ level: GZIP_LEVEL }),
};

/** `bytes` is what all pieces are together. */
export async function compress(
  pieces: readonly Buffer[],
  bytes: number,
  encoding: Encoding,
): Promise<readonly Buffer[]> {
  return await Readable.from(pieces).pipe(COMPRESSORS[encoding](bytes)).toArray();
}
