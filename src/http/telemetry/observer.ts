import type { Source } from '../../store/source/source.ts';
import type { CacheOutcome } from '../cache/respond.ts';
import type { ResponseCache } from '../cache/response-cache.ts';
import { isPublic, isUnderApi } from '../line/path.ts';
import type { OnSent } from '../line/send.ts';

export type ObservedRequest = Readonly<{
  /** The pattern of the route, or `unknown`. */
  route: string;
  status: number;
  surface: 'public' | 'team' | 'none';
  seconds: number;
}>;

/** What the service tells about its work, to whoever counts it. */
export type Observer = Readonly<{
  onRequest: (seen: ObservedRequest) => void;
  onLimited: (outcome: 'admitted' | 'refused') => void;
  onResponse: (way: CacheOutcome) => void;
  onKeyChecked: (result: 'missing' | 'unauthorized' | 'forbidden' | 'allowed') => void;
  onBuilt: (parts: { source: Source; held: ResponseCache }) => void;
}>;

/** What is to be noted of an answer; nothing if nobody counts. */
export function observeRequest(observer: Observer): OnSent[] {
  if (observer === NO_OBSERVER) return [];
  const observe: OnSent = ({ match, path, startedAt }, status) => {
    const route = match?.route.pattern ?? 'unknown';
    const seconds = (performance.now() - startedAt) / 1_000;
    observer.onRequest({ route, status, surface: surfaceOf(path), seconds });
  };
  return [observe];
}

function surfaceOf(path: string): ObservedRequest['surface'] {
  if (isPublic(path)) return 'public';
  return isUnderApi(path) ? 'team' : 'none';
}

export const NO_OBSERVER: Observer = {
  onRequest: () => {},
  onLimited: () => {},
  onResponse: () => {},
  onKeyChecked: () => {},
  onBuilt: () => {},
};
