/** The first image that others can load, too: an embedded one is only for our pages. SQL can write anything. */
export function webImageOf(...urls: readonly (string | null | undefined)[]): string | null {
  for (const text of urls) {
    const url = text?.startsWith('https:') ? URL.parse(text) : null;
    if (url !== null) return url.href;
  }
  return null;
}
