// The inputs of the OpenAPI document, from the tables and schemas that the server itself uses.
import type { Surface } from '../../domain/model.ts';
import type { Schema } from '../../domain/schema.ts';
import type { RecordName } from '../../present/outputs/output.ts';

export type ApiInput = Readonly<{
  baseUrl: string;
  version: string;
  license: string;
  rateLimit: number;
  rateWindowSeconds: number;
  maxAgeSeconds: number;
  /** Whether everything requires a password. */
  gated: boolean;
  operations: readonly OperationInput[];
  errors: readonly ErrorInput[];
}>;

/** `either` with or without a key; null if it belongs to neither. */
export type OperationSurface = Surface | 'either' | null;

export type OperationInput = Readonly<{
  /** Parameters start with a colon: `/api/v1/teams/:team/…`. */
  pattern: string;
  surface: OperationSurface;
  /** Its group, one of those in `api.json`. */
  tag: string;
  operationId: string;
  summary: string;
  description: string;
  parameters: readonly ParameterInput[];
  contentType: string;
  /** The schemas of JSON bodies. If the body depends on the query, there are several, each extending the one before. */
  bodies: readonly RecordName[];
  /** A complete body that is not JSON. */
  example?: string | undefined;
}>;

export type ParameterInput = Readonly<{
  name: string;
  /** Its name in the document, if operations define it differently. */
  component?: string;
  schema: Schema<unknown>;
  repeatable?: true;
  description: string;
  example?: string;
}>;

export type ErrorInput = Readonly<{
  code: string;
  status: number;
  /** The messages, each under the name of its example. */
  messages: Readonly<Record<string, string>>;
}>;
