// Chromium over its own protocol, with Playwright.
import { startChromium } from '../../support/browser/chromium.ts';
import type { StartBrowser } from './window.ts';

export const startChromiumWindow: StartBrowser = async (scope, colorScheme, origin) => {
  const browser = await startChromium(scope);
  const { page } = await browser.open({ origin, colorScheme, reducedMotion: 'no-preference' });
  return {
    version: page.context().browser()?.version() ?? '',
    open: async (url) => void (await page.goto(url)),
    evaluate: (expression) => page.evaluate(expression),
    resize: (width, height) => page.setViewportSize({ width, height }),
    press: (key) => page.keyboard.press(key),
    click: (x, y) => page.mouse.click(x, y),
    screenshot: () => page.screenshot(),
  };
};
