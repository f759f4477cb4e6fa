/** The demo that the generated clients call. */
export type Site = Readonly<{
  baseUrl: string;
  key: string;
  /** `USER:PASSWORD` of the gate; null if it is off. */
  password: string | null;
  /** Records what is called. */
  fetch: typeof fetch;
}>;

export const ROCKET = { teamSlug: 'acme', productSlug: 'rocket' };
/** Public, in another team than that of the key. */
export const LANTERN = { teamSlug: 'nightshift', productSlug: 'lantern' };

/** The cursor of the next page, as in a `Link` header. */
export function nextCursor({ headers }: Response): string | undefined {
  return /[?&]cursor=([\w-]+)[^>]*>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
}
