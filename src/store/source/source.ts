// Where the server reads: which database a question goes to, and whether what was read before still stands (R29, R30).
import type { Surface } from '../../domain/model.ts';
import type { OpenOptions, PoolView, Reader } from '../engine/engine.ts';
import { engineOf } from '../engine/open.ts';
import { openLocalSource } from './local.ts';
import { openRemoteSource } from './remote.ts';
import type { Touch } from './revisions.ts';

export type DatabaseState = 'up' | 'behind' | 'away';

/** How one database stands, as far as this process knows. */
export type DatabaseView = Readonly<{
  /** `primary`, or `replica-1` and so on. */
  name: string;
  state: DatabaseState;
  /** For how long it has been known to lack something that another has. */
  behindMs: number;
  /** Connections of the pool, where there is one. */
  connections: PoolView | null;
}>;

export type SourceEvents = Readonly<{
  onStateChange?: (name: string, state: DatabaseState, cause: unknown) => void;
  /** Another file was put in the place of the database, and is read from now on. */
  onReopened?: (name: string) => void;
}>;

export type Source = Readonly<{
  /**
   * Asks a database that answers. Fails, as unavailable, in less than a second if there is none, the time that whoever
   * asks has spent on an earlier question included.
   */
  read: <T>(query: (db: Reader) => Promise<T>, spentMs?: number) => Promise<T>;
  /** Is everything that was read and not touched since still as it is in the database, as far as R29 asks? */
  isConfirmed: () => boolean | Promise<boolean>;
  /** How long ago that was known for certain. */
  unconfirmedMs: () => number;
  /**
   * The latest revision that was seen; what was read as of an earlier one may be out of date already. For the public
   * surface, the latest that wrote anything which it shows.
   */
  revision: (surface?: Surface) => number;
  /** Calls back whenever something was written: with what was, or with null for everything. */
  onTouched: (listener: (touches: readonly Touch[] | null) => void) => void;
  isUp: () => boolean;
  databases: () => readonly DatabaseView[];
  close: () => Promise<void>;
}>;

export async function openSource(
  urls: readonly [string, ...string[]],
  options: Pick<OpenOptions, 'onQuery'> & SourceEvents = {},
): Promise<Source> {
  const [url] = urls;
  const engine = await engineOf(url);
  const { watch } = engine;
  return watch === null
    ? await openRemoteSource(engine, urls, options)
    : openLocalSource(() => ({ watch: watch(url), db: engine.openReader(url, options) }), options);
}
