// Every check of the pages: a promise, what was measured, and what is wrong.
import { checkAccessibility, checkKeyboard, checkNarrowWindow, checkTargets } from './accessible.ts';
import { checkCanonicals, checkFeeds } from './discovery.ts';
import { checkLanguages, checkPolicy, checkSizes, checkTraffic, checkValidity } from './documents.ts';
import { checkForms, checkKeys, checkLinks } from './interaction.ts';
import type { Check } from './site.ts';

/** Quick enough for `npm test`. */
export const SHORT_CHECKS: Readonly<Record<string, Check>> = {
  'axe-core finds nothing': checkAccessibility,
  'html-validate finds nothing': checkValidity,
  'html-validate finds nothing in any language, and pages are marked with it': checkLanguages,
  'a view is one request, without JavaScript': checkTraffic,
  'the content security policy is the strictest that works': checkPolicy,
  'pages are small with Brotli': checkSizes,
  'a feed reader finds three feeds': checkFeeds,
  'every canonical URL answers and names itself, and only pages without filters are indexed': checkCanonicals,
};

export const CHECKS: Readonly<Record<string, Check>> = {
  ...SHORT_CHECKS,
  'no sideways scrolling at 320 px': checkNarrowWindow,
  'targets have at least 24 px': checkTargets,
  'Tab reaches everything, in order, and focus is visible': checkKeyboard,
  'skip link, filters and search work with keys': checkKeys,
  'forms work without JavaScript': checkForms,
  'links work without JavaScript': checkLinks,
};
