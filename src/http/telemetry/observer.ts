import type { Source } from '../../store/source/source.ts';
import type { Way } from '../cache/respond.ts';
import type { HeldAnswers } from '../cache/response-cache.ts';
import { isPublic, isUnderApi } from '../line/path.ts';
import type { Note } from '../line/send.ts';

export type RequestSeen = Readonly<{
  /** The pattern of the route, or `unknown`. */
  route: string;
  status: number;
  surface: 'public' | 'team' | 'none';
  seconds: number;
}>;

/** What the service tells about its work, to whoever counts it. */
export type Observer = Readonly<{
  onRequest: (seen: RequestSeen) => void;
  onLimited: (outcome: 'admitted' | 'refused') => void;
  onAnswer: (way: Way) => void;
  onKeyChecked: (result: 'missing' | 'unauthorized' | 'forbidden' | 'allowed') => void;
  onBuilt: (parts: { source: Source; held: HeldAnswers }) => void;
}>;

/** What is to be noted of an answer; nothing if nobody counts. */
export function observeRequest(observer: Observer): Note[] {
  if (observer === NO_OBSERVER) return [];
  const observe: Note = ({ place, path, startedAt }, status) => {
    const route = place?.route.pattern ?? 'unknown';
    const seconds = (performance.now() - startedAt) / 1_000;
    observer.onRequest({ route, status, surface: surfaceOf(path), seconds });
  };
  return [observe];
}

function surfaceOf(path: string): RequestSeen['surface'] {
  if (isPublic(path)) return 'public';
  return isUnderApi(path) ? 'team' : 'none';
}

export const NO_OBSERVER: Observer = {
  onRequest: () => {},
  onLimited: () => {},
  onAnswer: () => {},
  onKeyChecked: () => {},
  onBuilt: () => {},
};
