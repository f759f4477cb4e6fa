import { engineOf } from '../engine/open.ts';
import { openLocalSource } from './local.ts';
import { openRemoteSource, type RemoteOptions } from './remote.ts';
import type { Source } from './source.ts';

export async function openSource(
  urls: readonly [string, ...string[]],
  options: RemoteOptions = {},
): Promise<Source> {
  const [url] = urls;
  const engine = await engineOf(url);
  const { watch } = engine;
  return watch === null
    ? await openRemoteSource(engine, urls, options)
    : openLocalSource(() => ({ watch: watch(url), db: engine.openReader(url, options) }), options);
}
