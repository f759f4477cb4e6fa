// Checks of the widget on the page of a product whose content security policy is strict.
import { PRODUCT } from '../pages/site.ts';
import { type Check, type Host, PRODUCT_PAGE } from './host.ts';
import { type ColorScheme, untilTrue, type Window } from './window.ts';

type Rect = Readonly<{ left: number; top: number; right: number; bottom: number; height: number }>;
type Opened = Readonly<{ link: Rect; panel: Rect; opacities: readonly string[]; isOnTop: boolean }>;

const PLACES = {
  top: 'top: 0; left: 0',
  'top end': 'top: 0; right: 0',
  middle: 'top: 48%; left: 48%',
  low: 'bottom: 40px; left: 0',
  'low end': 'bottom: 40px; right: 20px',
  bottom: 'bottom: 0; left: 0',
  'bottom end': 'bottom: 0; right: 0',
};
/** 12em, and 8 pixels above and below. */
const ROOM = 192 + 16;
const ANIMATION_MS_MAX = 5_000;

const ELEMENT = `document.querySelector('whats-new')`;
const ROOT = `${ELEMENT}.shadowRoot`;
const PANEL = `${ROOT}.querySelector('[part=panel]')`;
const IS_OPEN = `${PANEL}.matches(':popover-open, :modal')`;
const IS_FILLED = `${IS_OPEN} && ${ROOT}.querySelector('[part=more]')`;
/** What has focus, in the shadow root as well. */
const FOCUSED = `(() => {
  const { activeElement: element } = document;
  return element.shadowRoot?.activeElement?.getAttribute('part') ?? element.localName;
})()`;

/** Once animations have ended. */
const LOOK = `(async () => {
  const ended = Promise.all(${PANEL}.getAnimations({ subtree: true }).map(({ finished }) => finished));
  await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, ${ANIMATION_MS_MAX}))]);
  const link = ${ELEMENT}.querySelector('a').getBoundingClientRect().toJSON();
  const panel = ${PANEL}.getBoundingClientRect().toJSON();
  const opacities = [${PANEL}, ...${PANEL}.querySelectorAll('*')].map((each) => getComputedStyle(each).opacity);
  const middle = document.elementFromPoint((panel.left + panel.right) / 2, (panel.top + panel.bottom) / 2);
  return { link, panel, opacities, isOnTop: middle === ${ELEMENT} };
})()`;

/** As on a first visit. */
async function openProduct(
  window: Window,
  { origin, service }: Host,
  attributes: object = {},
): Promise<void> {
  await window.open(origin + PRODUCT_PAGE);
  // Or the response would be stored after that.
  await untilTrue(window, `localStorage['whats-new:${service}/acme/rocket']`);
  await window.evaluate('localStorage.clear()');
  await window.open(origin + PRODUCT_PAGE);
  await untilTrue(window, `${ELEMENT}.unread === 1`);
  await window.evaluate(`void Object.assign(${ELEMENT}, ${JSON.stringify(attributes)})`);
}

/** With the widget opened. */
export async function openWidget(window: Window, host: Host): Promise<void> {
  await openProduct(window, host);
  await clickLink(window);
  await untilTrue(window, IS_FILLED);
}

async function clickLink(window: Window): Promise<void> {
  const { left, top }: Rect = await window.evaluate(
    `${ELEMENT}.querySelector('a').getBoundingClientRect().toJSON()`,
  );
  await window.click(left + 10, top + 5);
}

export const checkPlaces: Check = async (window, host, { sizes }) => {
  const problems: string[] = [];
  for (const [width, height] of sizes) {
    await window.resize(width, height);
    await openProduct(window, host);
    for (const [place, style] of Object.entries(PLACES)) {
      await window.evaluate(`void (${ELEMENT}.style.cssText = 'position: fixed; ${style}')`);
      await clickLink(window);
      await untilTrue(window, IS_FILLED);
      const found = findMisplaced(await window.evaluate<Opened>(LOOK), width, height);
      problems.push(...found.map((problem) => `${place}, ${width} by ${height}: ${problem}`));
      await window.press('Escape');
      await untilTrue(window, `!${IS_OPEN}`);
    }
  }
  return {
    figure: `${sizes.length * Object.keys(PLACES).length} openings in ${sizes.length} sizes`,
    problems,
  };
};

function findMisplaced({ link, panel, opacities, isOnTop }: Opened, width: number, height: number): string[] {
  const { left, top, right, bottom } = panel;
  const room = Math.max(link.top, height - link.bottom);
  const rules = {
    'is not whole in the window': left >= 0 && top >= 0 && right <= width && bottom <= height,
    'is too low to read': panel.height >= Math.min(ROOM, height) - 16,
    'does not use the larger side': panel.height + 16 >= Math.min(room, 36 * 16),
    'covers its link': room < ROOM || bottom <= link.top || top >= link.bottom,
    'is transparent': opacities.every((opacity) => opacity === '1'),
    'is covered': isOnTop,
  };
  const where = JSON.stringify([left, top, right, bottom].map(Math.round));
  return Object.entries(rules).flatMap(([problem, holds]) => (holds ? [] : [`${problem}: ${where}`]));
}

export const checkBadge: Check = async (window, host) => {
  await window.resize(1280, 720);
  await openProduct(window, host);
  const distances: number[] = await window.evaluate(`(() => {
    const link = ${ELEMENT}.querySelector('a').getBoundingClientRect();
    const badge = ${ROOT}.querySelector('[part=badge]').getBoundingClientRect();
    return [(badge.left + badge.right) / 2 - link.right, (badge.top + badge.bottom) / 2 - link.top];
  })()`);
  await clickLink(window);
  await untilTrue(window, `${ELEMENT}.unread === 0`);
  const isHidden = await window.evaluate<boolean>(`!${ROOT}.querySelector('[part=badge]').checkVisibility()`);
  const problems = [
    ...distances
      .filter((distance) => Math.abs(distance) > 12)
      .map((distance) => `badge ${distance} px off the corner`),
    ...(isHidden ? [] : ['the badge stays']),
  ];
  return {
    figure: `badge ${distances.map(Math.round).join(' and ')} px off the corner of its link`,
    problems,
  };
};

/** What happens step by step: open or not, what has focus, what the link says. */
export const checkUse: Check = async (window, host) => {
  const problems: string[] = [];
  await window.resize(1280, 720);
  let steps = 0;
  for (const mode of ['popover', 'modal']) {
    await openProduct(window, host, { mode });
    const expect = async (step: string, isOpen: boolean, focus: string) => {
      steps += 1;
      const state = `[${IS_OPEN}, ${FOCUSED}, ${ELEMENT}.querySelector('a').ariaExpanded].join(' ')`;
      const expected = `${isOpen} ${focus} ${isOpen}`;
      // Browsers tell the widget a little later what a click or a key has closed.
      await untilTrue(window, `${state} === '${expected}'`).catch(async () => {
        problems.push(`${mode}, ${step}: ${await window.evaluate(state)} instead of ${expected}`);
      });
    };
    await window.press('Tab');
    await expect('Tab to the link', false, 'a');
    await window.press('Enter');
    await expect('Enter', true, 'panel');
    await window.press('Tab');
    await expect('Tab in the panel', true, 'close');
    await window.press('Escape');
    await expect('Escape', false, 'a');
    await window.press('Enter');
    await window.press('Tab');
    await window.press('Enter');
    await expect('Enter on the close button', false, 'a');
    await clickLink(window);
    await expect('a click', true, 'panel');
    if (mode === 'modal') continue;
    await clickLink(window);
    await expect('a second click', false, 'a');
    await clickLink(window);
    await window.click(1200, 700);
    await expect('a click elsewhere', false, 'body');
  }
  return { figure: `${steps} steps`, problems };
};

export const checkHost: Check = async (window, host) => {
  await openWidget(window, host);
  const formatted = await window.evaluate<number>(
    `${ROOT}.querySelectorAll('[part=change] :is(code, a, ul)').length`,
  );
  const problems = await window.evaluate<string[]>('problems');
  return {
    figure: `${formatted} formatted parts of changes, ${problems.length} errors or warnings`,
    problems: [...problems, ...(formatted > 0 ? [] : ['changes are not formatted'])],
  };
};

export const checkColors =
  (colorScheme: ColorScheme): Check =>
  async (window, host) => {
    await openWidget(window, host);
    const panel = await window.evaluate<string>(`getComputedStyle(${PANEL}).backgroundColor`);
    await window.open(host.origin + PRODUCT);
    const page = await window.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    const isDark = (color: string) => Math.max(...color.split(/\D+/).filter(Boolean).map(Number)) < 64;
    const wrong = [panel, page].filter((color) => isDark(color) !== (colorScheme === 'dark'));
    return { figure: `${panel}, ${page}`, problems: wrong.map((color) => `${color} is not ${colorScheme}`) };
  };

/** A description is shortened, and unfolds with its button and when something in the rest gets the focus. */
export const checkDescription: Check = async (window, host) => {
  const problems: string[] = [];
  const part = (name: string) => `${ROOT}.querySelector('[part=${name}]')`;
  const unfolds = {
    button: async () => {
      await window.evaluate(`void ${part('unfold')}.focus()`);
      await window.press('Enter');
    },
    focus: () => window.evaluate<void>(`void ${part('description')}.querySelector('a').focus()`),
  };
  const heights: number[] = [];
  const noteHeight = async () =>
    heights.push(await window.evaluate(`Math.round(${part('description')}.getBoundingClientRect().height)`));
  for (const [way, unfold] of Object.entries(unfolds)) {
    await openProduct(window, host, { team: 'extremes', product: 'prose', mode: 'inline' });
    await untilTrue(window, `${part('unfold')}?.hidden === false`);
    await noteHeight();
    await unfold();
    await untilTrue(window, `${part('unfold')}.hidden`).catch(() =>
      problems.push(`${way}: it stays as it is`),
    );
    await noteHeight();
    if (!(await window.evaluate<boolean>(`${ROOT}.activeElement.closest('[part=description]') !== null`)))
      problems.push(`${way}: the focus is elsewhere`);
  }
  const [folded = 0, whole = 0] = heights;
  if (folded > whole / 2) problems.push(`${folded} of ${whole} px are shown`);
  return { figure: `${heights.join(', ')} px high`, problems };
};
