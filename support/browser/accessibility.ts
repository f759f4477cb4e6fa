// Checks of a page in the browser: accessibility rules, sideways scrolling, the keyboard. Each returns lines to read, none
// if all is well. Look at the page's incidents first: axe does things that a content security policy may report.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const OPTIONS = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  // Disabled unless named: targets of at least 24 by 24 CSS pixels.
  rules: { 'target-size': { enabled: true } },
  resultTypes: ['violations'],
};

/** What a page must be usable in: every width and color scheme that the tests look at. */
export const LOOKS = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [360, 1280].map((width) => ({ width, colorScheme })),
);

export async function changeLook(page: Page, { width, colorScheme }: (typeof LOOKS)[number]): Promise<void> {
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ colorScheme });
}

/** Runs axe, not as a script tag, which a content security policy would block. The page needs JavaScript switched on. */
export async function findAccessibilityProblems(page: Page): Promise<string[]> {
  await page.evaluate(`if (!window.axe) { ${AXE} }`);
  const { violations }: AxeResults = await page.evaluate(`axe.run(document, ${JSON.stringify(OPTIONS)})`);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary = '' }) => `${id}: ${html} ${failureSummary}`.replaceAll(/\s+/g, ' ')),
  );
}

/** The elements that make a window of this width scroll sideways. */
export async function findOverflow(page: Page, width = 320): Promise<string[]> {
  await page.setViewportSize({ width, height: 900 });
  return page.evaluate(FIND_OVERFLOW);
}

/** An expression for any browser. */
export const FIND_OVERFLOW = `(() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  const wide = [...document.body.querySelectorAll('*')]
    .filter((element) => element.getBoundingClientRect().right > clientWidth + 0.5)
    .map((element) => 'wider than the window: ' + element.outerHTML.slice(0, 120));
  return ['scrolls sideways: ' + scrollWidth + ' in ' + clientWidth, ...wide];
})()`;

/** Walks through the page with Tab. Reports what it does not reach, shows no focus on, or leaves out of sight. */
export async function findKeyboardProblems(page: Page): Promise<string[]> {
  await page.evaluate(START_AT_TOP);
  const stops: string[] = await page.evaluate(LIST_STOPS);
  const reached = new Set<number>();
  const problems: string[] = [];
  let last = -1;
  for (let presses = 0; presses <= stops.length * STOPS_IN_FIELD_MAX; presses += 1) {
    await page.keyboard.press('Tab');
    const { index, problem }: { index: number; problem: string } = await page.evaluate(LOOK_AT_FOCUS);
    if (index === last) continue;
    if (index < 0 || reached.has(index)) break;
    reached.add(index);
    if (problem !== '') problems.push(`${problem}: ${stops[index]}`);
    last = index;
  }
  const missed = stops.filter((_, index) => !reached.has(index));
  return [...missed.map((stop) => `not reached with Tab: ${stop}`), ...problems];
}

/** A date field has one for the day, the month, the year and the calendar. */
const STOPS_IN_FIELD_MAX = 4;

/** Without focus on the body, Tab would go on from the last place, even after a blur. */
const START_AT_TOP = `
  document.body.tabIndex = -1;
  document.body.focus();
  document.body.removeAttribute('tabindex');
  scrollTo({ top: 0, behavior: 'instant' })`;

/** Of radio buttons with the same name, Tab stops at one. */
const LIST_STOPS = `(
  window.stops = [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')]
    .filter((element) => !element.disabled && element.type !== 'hidden' && element.tabIndex >= 0)
    .filter((element) => element.checkVisibility({ visibilityProperty: true }))
    .filter((element, _, all) => element.type !== 'radio' || element === (
      all.find(({ name, checked }) => name === element.name && checked) ?? all.find(({ name }) => name === element.name)))
).map((element) => element.outerHTML.replaceAll(/\\s+/g, ' ').slice(0, 120))`;

const LOOK_AT_FOCUS = `(() => {
  const focused = document.activeElement;
  const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(focused);
  const isMarked = (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || boxShadow !== 'none';
  const { top, bottom, left, right } = focused.getClientRects()[0] ?? focused.getBoundingClientRect();
  const isInSight = bottom > 0 && top < innerHeight && right > 0 && left < innerWidth;
  const above = document.elementFromPoint((left + right) / 2, (top + bottom) / 2) ?? focused;
  const isCovered = !focused.contains(above) && !above.contains(focused);
  const problem = !isMarked ? 'focus does not show'
    : !isInSight ? 'focus is out of sight' : isCovered ? 'focus is covered' : '';
  return { index: window.stops.indexOf(focused), problem };
})()`;
