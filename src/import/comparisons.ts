// Links to a comparison of two versions in code, which become a field of the version.
import { VERSION_RULES } from '../domain/content/appearance.ts';
import { isLinkToChanges } from './body/credits.ts';

/** `…/compare/v1...v2`, `…/-/compare?from=v1&to=v2`, `…/branches/compare/v2%0Dv1`, `…/log/?q=v1..v2` */
const COMPARISON = /\/compare(?:[/?]|$)|[^./]\.{2,3}[^./]/;

/** The URL as stored; null if it is not a comparison, or not a valid URL. */
export function comparisonOf(url: string): string | null {
  return COMPARISON.test(url) ? VERSION_RULES.compare.read(url) : null;
}

const FENCE = /^[ \t]*(?:`{3}|~{3})/gm;
const URLS = /https?:\/\/[^\s()<>\]]+/g;

/**
 * Takes the paragraph `**Full Changelog**: https://…/compare/v1...v2` out of a description. If another comparison is
 * known, the paragraph stays where it is.
 */
export function takeComparison(
  description: string | null,
  known: string | null,
): Readonly<{ description: string | null; compare: string | null }> {
  if (description === null) return { description, compare: known };
  let compare = known;
  let fences = 0;
  const kept = description.split('\n\n').filter((paragraph) => {
    fences += paragraph.match(FENCE)?.length ?? 0;
    const url = fences % 2 === 0 && isLinkToChanges(paragraph) ? comparisonIn(paragraph) : null;
    if (url === null || url !== (compare ?? url)) return true;
    compare = url;
    return false;
  });
  return { description: kept.length === 0 ? null : kept.join('\n\n'), compare };
}

/** Null if there is more than one URL. */
function comparisonIn(paragraph: string): string | null {
  const [url = '', ...others] = paragraph.match(URLS) ?? [];
  return others.length > 0 ? null : comparisonOf(url.replace(/[*_.,]+$/, ''));
}
