const SLUG_CHARACTERS_MAX = 64;

/** The slug for a name; empty if the name has no character that a URL allows. */
export function slugOf(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, SLUG_CHARACTERS_MAX)
    .replace(/-$/, '');
}
