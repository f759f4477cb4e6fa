// What holds for the pages and the widget in every browser.
import { FULL as ALL_PAGES, PRODUCT } from '../pages/site.ts';
import { startChromiumWindow } from './chromium.ts';
import { startFirefox } from './firefox.ts';
import type { Check, Extent } from './host.ts';
import { checkKeys, checkOverflow, checkReports, checkSearch } from './pages.ts';
import { startWebkit } from './webkit.ts';
import { checkBadge, checkColors, checkDescription, checkHost, checkPlaces, checkUse } from './widget.ts';
import type { ColorScheme, StartBrowser } from './window.ts';

export const BROWSERS: Readonly<Record<string, StartBrowser>> = {
  Chromium: startChromiumWindow,
  Firefox: startFirefox,
  WebKit: startWebkit,
};

/** Firefox takes six seconds of processor time to start, and half a minute on a busy machine: too long for `npm test`. */
export const SHORT_BROWSERS = Object.entries(BROWSERS).filter(([name]) => name !== 'Firefox');

export const FULL: Extent = {
  sizes: [
    [320, 568],
    [360, 740],
    [844, 390],
    [320, 256],
    [768, 1024],
    [1280, 720],
  ],
  paths: [...ALL_PAGES.views.map(({ path }) => path), '/demo'],
};
export const SHORT: Extent = {
  sizes: [[360, 740]],
  paths: [PRODUCT, '/changelog/extremes/words'],
};

/** In this order: the last one looks at what all of them opened. */
const CHECKS: Readonly<Record<string, Check>> = {
  'the panel opens where there is room, visible from the first time': checkPlaces,
  'the badge is at the corner of its link, until it is opened': checkBadge,
  'Enter, Escape and clicks open and close, and focus goes in and back': checkUse,
  'the widget formats changes on a strict page, without errors or warnings': checkHost,
  'a long description is shortened, and unfolds with a key or when its rest gets the focus': checkDescription,
  'pages do not scroll sideways': checkOverflow,
  'search works': checkSearch,
  'skip link and filters work with keys': checkKeys,
  'page and widget are light': checkColors('light'),
  'nothing violates a content security policy': checkReports,
};

export const CHECKS_BY_SCHEME: Readonly<Record<ColorScheme, typeof CHECKS>> = {
  light: CHECKS,
  dark: { 'page and widget are dark in a dark browser': checkColors('dark') },
};
