// The URLs of the pages, below the base URL (R37, R42).
import { idPattern } from '../domain/model.ts';

export const PAGES_PATH = '/changelog';

/** With the host name of its own, if it has one (R60). */
export type ProductSlugs = Readonly<{ teamSlug: string; productSlug: string; domain: string | null }>;

export function teamPath(teamSlug: string): string {
  return `${PAGES_PATH}/${teamSlug}`;
}

export function productPath({ teamSlug, productSlug }: Omit<ProductSlugs, 'domain'>): string {
  return `${teamPath(teamSlug)}/${productSlug}`;
}

/** The public changelog in the API; its feeds are below it. */
export function apiPath({ teamSlug, productSlug }: Omit<ProductSlugs, 'domain'>): string {
  return `/api/v1/public/teams/${teamSlug}/products/${productSlug}/changelog`;
}

/** The public team in the API; its feeds are below it. */
export function teamApiPath(teamSlug: string): string {
  return `/api/v1/public/teams/${teamSlug}`;
}

export type NamedVersion = Readonly<{ id: string; label: string }>;

const VERSION_ID = new RegExp(idPattern('version'));

/**
 * A version's canonical name in a path: its label, or its id if the label would mean something else. `latest` and ids
 * take precedence, proxies may decode or refuse an encoded slash, and clients remove dots.
 */
export function versionSegment({ id, label }: NamedVersion): string {
  const isAmbiguous = label === 'latest' || /^\.{1,2}$/.test(label) || VERSION_ID.test(label);
  return isAmbiguous || label.includes('/') || !label.isWellFormed() ? id : encodeURIComponent(label);
}
