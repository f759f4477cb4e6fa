// What the description is made from: the tables and schemas that the server itself works with, handed over as values.
import type { Surface } from '../../domain/model.ts';
import type { Schema } from '../../domain/schema.ts';

export type ApiInput = Readonly<{
  /** The address that paths are below. */
  baseUrl: string;
  /** Of the program. */
  version: string;
  license: string;
  rateLimit: number;
  rateWindowSeconds: number;
  maxAgeSeconds: number;
  operations: readonly OperationInput[];
  errors: readonly ErrorInput[];
}>;

export type OperationInput = Readonly<{
  /** With a colon before what differs: `/api/v1/teams/:team/…`. */
  pattern: string;
  /** Null for what is on neither. */
  surface: Surface | null;
  tag: TagName;
  operationId: string;
  summary: string;
  description: string;
  parameters: readonly ParameterInput[];
  contentType: string;
  /** What the answers are, where they are JSON; several, if it depends on what is asked. */
  bodies: readonly Schema<unknown>[];
  /** An answer in full, where it is not JSON. */
  example?: string | undefined;
}>;

export type ParameterInput = Readonly<{
  name: string;
  schema: Schema<unknown>;
  repeatable?: true;
  description: string;
  example: string;
}>;

export type ErrorInput = Readonly<{
  code: string;
  status: number;
  /** What is said, by what has happened. */
  messages: Readonly<Record<string, string>>;
}>;

export const TAGS = {
  Public: 'What anybody may read: published all the way up, and nothing else.',
  Authenticated: 'What the holder of an API key may read: drafts, locked and private things too.',
  Feeds: 'Published changelogs for feed readers, and as one Markdown file.',
  Description: 'This description.',
} as const;

export type TagName = keyof typeof TAGS;
