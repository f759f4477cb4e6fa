import type { Server } from 'node:http';
import type { Source } from '../../store/source/source.ts';
import type { ResponseSource } from '../cache/respond.ts';
import type { ResponseCache } from '../cache/response-cache.ts';
import type { Counters } from '../guards/counters/counters.ts';
import type { OnSent } from '../pipeline/exchange.ts';
import type { Log } from './log.ts';

export type Observer = Readonly<{
  onRequest: OnSent;
  onLimited: (outcome: 'admitted' | 'refused') => void;
  onResponse: (source: ResponseSource) => void;
  onKeyChecked: (result: 'missing' | 'unauthorized' | 'forbidden' | 'allowed') => void;
  /** Scheduled versions were published. */
  onPublished: (count: number) => void;
  /** A delivery to a hook ended. */
  onHook: (hook: string, outcome: HookOutcome) => void;
  /** Before the first delivery. */
  onHooksOpened: (hooks: readonly OpenedHook[]) => void;
  /** Connections were closed to make room for new ones. */
  onConnectionsClosed: (count: number) => void;
  onBuilt: (parts: BuiltParts) => void;
}>;

type HookOutcome = 'sent' | 'failed' | 'given_up' | 'purged';

type OpenedHook = Readonly<{
  name: string;
  /** Those that it may have. */
  outcomes: readonly HookOutcome[];
  /** For how long it has had something to do that no process does. */
  behindMs: () => number;
}>;

export type BuiltParts = Readonly<{
  source: Source;
  cache: ResponseCache;
  counters: Counters;
  log: Log;
  server: Server;
}>;
