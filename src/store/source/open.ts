import { engineOf } from '../engine/open.ts';
import { Indexes, indexesOf } from '../read/index.ts';
import { openLocalSource } from './local.ts';
import { openRemoteSource, type RemoteOptions } from './remote.ts';
import type { Source } from './source.ts';

export async function openSource(
  urls: readonly [string, ...string[]],
  { indexBytesMax, ...options }: RemoteOptions & { indexBytesMax?: number } = {},
): Promise<Source> {
  const [url] = urls;
  const engine = await engineOf(url);
  const indexes = new Indexes(indexBytesMax);
  const openReader: typeof engine.openReader = (...args) => {
    const db = engine.openReader(...args);
    indexesOf.set(db, indexes);
    return db;
  };
  const { watch } = engine;
  const source =
    watch === null
      ? await openRemoteSource({ ...engine, openReader }, urls, options)
      : openLocalSource(() => ({ watch: watch(url), db: openReader(url, options) }), options);
  source.onTouched((touches) => indexes.onTouched(touches));
  return source;
}
