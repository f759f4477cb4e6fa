// Builds JSON Schemas that carry their TypeScript type. They are plain data, used for validation and documentation.

declare const type: unique symbol;

export type Schema<T> = Readonly<Record<string, unknown>> & { readonly [type]?: T };

/** The type of the values that a schema describes. */
export type Static<S> = S extends Schema<infer T> ? T : never;

type Fields = Readonly<Record<string, Schema<unknown>>>;
type Options = Readonly<Record<string, unknown>>;
/** What it means, or any keywords. */
type About = string | Options;

const keywords = (about: About = {}): Options => (typeof about === 'string' ? { description: about } : about);

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

export function array<T>(items: Schema<T>, about?: About): Schema<T[]> {
  return { type: 'array', items, ...keywords(about) };
}

export function text(about?: About): Schema<string> {
  return { type: 'string', ...keywords(about) };
}

export function textOrNull(about?: About): Schema<string | null> {
  return { type: ['string', 'null'], ...keywords(about) };
}

/** For input. The type is repeated inside: some generators ignore it next to `anyOf`, and fail on other rules there. */
export function dateOrTimestamp(): Schema<string> {
  return { type: 'string', anyOf: [text({ format: 'date' }), text({ format: 'date-time' })] };
}

export function integer(about?: About): Schema<number> {
  return { type: 'integer', ...keywords(about) };
}

export function number(about?: About): Schema<number> {
  return { type: 'number', ...keywords(about) };
}

export function boolean(about?: About): Schema<boolean> {
  return { type: 'boolean', ...keywords(about) };
}

export function oneOf<const T extends string>(values: readonly T[], about?: About): Schema<T> {
  return { type: 'string', enum: [...values], ...keywords(about) };
}
