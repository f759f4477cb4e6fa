// Checks in the browser that look at a page as it is.
import type { Page } from 'playwright-core';
import {
  findAccessibilityProblems,
  findKeyboardProblems,
  findOverflow,
} from '../../support/browser/accessibility.ts';
import type { Check } from './checks.ts';
import { DOCS, inEveryView, widthsOf } from './site.ts';

export const checkAccessibility: Check = async (site, { views, looks }) => {
  const problems = await inEveryView(site, views, findAccessibilityProblems, looks);
  return {
    figure: `${problems.length} findings on ${views.length} pages in ${looks.length} looks`,
    problems,
  };
};

export const checkNarrowWindow: Check = async (site, { views }) => {
  const problems = await inEveryView(site, views, (page) => findOverflow(page));
  return { figure: `${views.length} pages fit`, problems };
};

export const checkKeyboard: Check = async (site, { walked, looks }) => {
  const widths = widthsOf(looks);
  const problems = await inEveryView(site, walked, findKeyboardProblems, widths);
  return {
    figure: `${walked.length} pages at ${widths.map(({ width }) => `${width} px`).join(' and ')}`,
    problems,
  };
};

const TARGET_PIXELS_MIN = 24;

export const checkTargets: Check = async (site, { views, looks }) => {
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
  const pages = views.filter((view) => view !== DOCS);
  const problems = await inEveryView(site, pages, find, widthsOf(looks));
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
