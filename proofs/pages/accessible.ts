// Checks in the browser that look at a page as it is.
import type { Page } from 'playwright-core';
import {
  findAccessibilityProblems,
  findKeyboardProblems,
  findOverflow,
} from '../../support/browser/accessibility.ts';
import { type Check, DOCS, inEveryView, looksOf, widthsOf } from './site.ts';

export const checkAccessibility: Check = async (site, extent) => {
  const { views, looksPerView } = extent;
  const problems = await inEveryView(site, views, findAccessibilityProblems, looksOf(extent));
  const looks = looksPerView === 1 ? '1 look' : `${looksPerView} looks`;
  return { figure: `${problems.length} findings on ${views.length} pages, each in ${looks}`, problems };
};

export const checkNarrowWindow: Check = async (site, { views }) => {
  const problems = await inEveryView(site, views, (page) => findOverflow(page));
  return { figure: `${views.length} pages fit`, problems };
};

export const checkKeyboard: Check = async (site, extent) => {
  const { walked } = extent;
  const problems = await inEveryView(site, walked, findKeyboardProblems, widthsOf(extent));
  return { figure: `${walked.length} pages`, problems };
};

const TARGET_PIXELS_MIN = 24;

export const checkTargets: Check = async (site, extent) => {
  let smallest = Number.POSITIVE_INFINITY;
  let count = 0;
  const find = async (page: Page) => {
    const targets: Target[] = await page.evaluate(LIST_TARGETS);
    count += targets.length;
    for (const { pixels } of targets) smallest = Math.min(smallest, pixels);
    return targets
      .filter(({ pixels }) => pixels < TARGET_PIXELS_MIN)
      .map(({ html, pixels }) => `${pixels} px: ${html}`);
  };
  // Of the others, axe-core has measured them too.
  const pages = extent.walked.filter((view) => view !== DOCS);
  const problems = await inEveryView(site, pages, find, widthsOf(extent));
  return { figure: `the smallest of ${count} has ${smallest} px`, problems };
};

type Target = Readonly<{ html: string; pixels: number }>;

/**
 * Links within sentences do not count (WCAG 2.2, 2.5.8), nor does what is hidden until it has focus. A label belongs to its
 * field.
 */
const LIST_TARGETS = `[...document.querySelectorAll('a[href], button, input, select, summary')]
  .filter((element) => element.checkVisibility() && element.getBoundingClientRect().right > 0 && element.getBoundingClientRect().bottom > 0)
  .filter((element) => getComputedStyle(element).display !== 'inline' || ![...element.parentElement.childNodes].some(
    (node) => node.nodeType === Node.TEXT_NODE && /[\\p{L}\\p{N}]/u.test(node.data)))
  .map((element) => {
    const boxes = [element, ...element.labels ?? []].map((each) => each.getBoundingClientRect());
    const pixels = Math.max(...boxes.map(({ width, height }) => Math.min(width, height)));
    return { html: element.outerHTML.replaceAll(/\\s+/g, ' ').slice(0, 120), pixels: Math.round(pixels * 10) / 10 };
  })`;
