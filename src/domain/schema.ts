// Builds JSON Schemas that carry their TypeScript type. They are plain data, used for validation and documentation.

declare const type: unique symbol;

export type Schema<T> = Readonly<Record<string, unknown>> & { readonly [type]?: T };

/** The type of the values that a schema describes. */
export type Static<S> = S extends Schema<infer T> ? T : never;

type Fields = Readonly<Record<string, Schema<unknown>>>;
type Options = Readonly<Record<string, unknown>>;

/** An object with these fields and no others; `optional` ones may be absent. */
export function object<R extends Fields, O extends Fields = Record<never, never>>(
  required: R,
  { optional, ...options }: { optional?: O } & Options = {},
): Schema<{ [K in keyof R]: Static<R[K]> } & { [K in keyof O]?: Static<O[K]> }> {
  return {
    type: 'object',
    ...options,
    additionalProperties: false,
    required: Object.keys(required),
    properties: { ...required, ...optional },
  };
}

export function array<T>(items: Schema<T>, options: Options = {}): Schema<T[]> {
  return { type: 'array', items, ...options };
}

export function text(options: Options = {}): Schema<string> {
  return { type: 'string', ...options };
}

export function textOrNull(options: Options = {}): Schema<string | null> {
  return { type: ['string', 'null'], ...options };
}

export function orNull<T>(schema: Schema<T>, options: Options = {}): Schema<T | null> {
  return { anyOf: [schema, { type: 'null' }], ...options };
}

/** A timestamp as in all records: UTC with milliseconds. Not for input, which may also be a date. */
export function timestamp(options: Options = {}): Schema<string> {
  return { type: 'string', format: 'date-time', ...options };
}

export function timestampOrNull(options: Options = {}): Schema<string | null> {
  return { type: ['string', 'null'], format: 'date-time', ...options };
}

/** For input. The type is repeated inside: some generators ignore it next to `anyOf`, and fail on other rules there. */
export function dateOrTimestamp(): Schema<string> {
  return { type: 'string', anyOf: [text({ format: 'date' }), timestamp()] };
}

export function integer(options: Options = {}): Schema<number> {
  return { type: 'integer', ...options };
}

export function boolean(options: Options = {}): Schema<boolean> {
  return { type: 'boolean', ...options };
}

export function oneOf<const T extends string>(values: readonly T[], options: Options = {}): Schema<T> {
  return { type: 'string', enum: [...values], ...options };
}

export function constant<const T extends string>(value: T, options: Options = {}): Schema<T> {
  return { type: 'string', const: value, ...options };
}
