import type { InspectedText } from '../import/read.ts';

/** A note is about something that may be intended. */
export type Level = 'error' | 'note';

export type Found = Readonly<{
  line: number;
  /** From 1. */
  column?: number;
  /** What is wrong and what to do, in one sentence. */
  message: string;
  /** If it is not that of the rule. */
  level?: Level;
}>;

export type Finding = Found & Readonly<{ rule: string; level: Level }>;

/** The file as it was at a commit. */
export type Earlier = Readonly<{
  /** The name of the commit, as given. */
  ref: string;
  /** Null if there was none, or none that can be read. */
  text: InspectedText | null;
  isMissing: boolean;
}>;

export type Context = Readonly<{
  /** The present time. */
  now: string;
  earlier: Earlier | null;
  /** The version that must be there. */
  wanted: string | null;
}>;

export type Rule = Readonly<{
  /** Never changes: people refer to it. */
  id: string;
  level: Level;
  /** What it finds. */
  summary: string;
  /** Why that is wrong and how to correct it. */
  help: string;
  find: (text: InspectedText, context: Context) => Iterable<Found>;
}>;
