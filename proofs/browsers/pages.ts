// Checks of the pages, through the proxy.
import { FIND_OVERFLOW } from '../../support/browser/accessibility.ts';
import { until } from '../../support/processes/poll.ts';
import { PRODUCT } from '../pages/site.ts';
import type { Check } from './host.ts';
import { untilTrue, WAIT } from './window.ts';

const HEIGHT = 800;
const WIDTHS = [320, 360, 1280];
const FORBIDDEN = 'http://127.0.0.1:1/';
const LABELS = `[...document.querySelectorAll('article .label')].map(({ textContent }) => textContent)`;

export const checkOverflow: Check = async (window, { origin }, { paths }) => {
  const problems: string[] = [];
  for (const path of paths) {
    await window.open(origin + path);
    for (const width of WIDTHS) {
      await window.resize(width, HEIGHT);
      const found = await window.evaluate<string[]>(FIND_OVERFLOW);
      problems.push(...found.map((problem) => `${path}, ${width} px: ${problem}`));
    }
  }
  return { figure: `${paths.length} pages at ${WIDTHS.join(', ')} px`, problems };
};

export const checkSearch: Check = async (window, { origin }) => {
  await window.open(origin + PRODUCT);
  await window.evaluate(`document.querySelector('[name=q]').focus()`);
  for (const character of 'environments') await window.press(character);
  await window.press('Enter');
  await untilTrue(window, `location.search.includes('q=environments') && document.readyState === 'complete'`);
  const labels = await window.evaluate<string[]>(LABELS);
  return { figure: `found ${labels}`, problems: labels.join() === '2.0.0' ? [] : [`found ${labels}`] };
};

export const checkKeys: Check = async (window, { origin }) => {
  const problems: string[] = [];
  const expect = (problem: string, condition: string) =>
    untilTrue(window, condition).catch(() => problems.push(problem));
  await window.open(origin + PRODUCT);
  await window.press('Tab');
  await window.press('Enter');
  await expect('the skip link leads nowhere', `location.hash === '#main'`);
  await window.press('Tab');
  await expect('Tab does not go on in the content', `document.activeElement.closest('main')`);
  await window.evaluate(`document.querySelector('.tools summary').focus()`);
  for (const [key, isOpen] of [
    ['Enter', true],
    ['Space', false],
    ['Enter', true],
  ] as const) {
    await window.press(key);
    await expect(`${key} on the filters`, `document.querySelector('.tools details').open === ${isOpen}`);
  }
  return { figure: '5 steps', problems };
};

/** All pages were opened by now. Ends with a violation that must be reported, so that reports are known to arrive. */
export const checkReports: Check = async (window, { origin, reports }) => {
  await window.open(origin + PRODUCT);
  await window.evaluate(
    `void document.body.append(Object.assign(document.createElement('img'), { src: '${FORBIDDEN}' }))`,
  );
  const isOwn = (report: string) => report.includes(FORBIDDEN);
  await until('a violation is reported', () => reports.some(isOwn), WAIT);
  const problems = reports.splice(0).filter((report) => !isOwn(report));
  return { figure: `${problems.length} violations on these pages and with the widget`, problems };
};
