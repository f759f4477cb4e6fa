// A real browser for tests of HTML pages.
import { chromium, type Page } from 'playwright-core';
import { ensureServers, serverProgram } from '../../cluster/debian.ts';
import { HANGS_MS } from '../processes/busy.ts';
import type { Scope } from '../processes/scope.ts';

type PageOptions = Readonly<{
  /** The only origins that the page may send requests to. */
  origin: string | readonly string[];
  width?: number;
  height?: number;
  colorScheme?: 'light' | 'dark';
  /** Smooth scrolling would take seconds, and what has focus would not be in its place at once. */
  reducedMotion?: 'reduce' | 'no-preference';
  javaScriptEnabled?: boolean;
  /** What a user types when the browser asks for a password. */
  httpCredentials?: Readonly<{ username: string; password: string }>;
}>;

/** Events that must not happen on our pages. */
type Incidents = Readonly<{
  /** Errors and warnings, including violations of the content security policy. */
  console: string[];
  errors: string[];
  dialogs: string[];
  /** Requests to other origins. All of them are blocked. */
  outside: string[];
}>;

export type OpenedPage = Readonly<{ page: Page; incidents: Incidents }>;
export type Browser = Readonly<{ open: (options: PageOptions) => Promise<OpenedPage> }>;

/** Starts Chromium with a new profile, removed with the scope. */
export async function startChromium(scope: Scope): Promise<Browser> {
  await ensureServers(['chromium']);
  const browser = await chromium.launch({
    executablePath: serverProgram('chromium'),
    // The sandbox does not start as root, which tests often run as in a container.
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    // Tests of other files in this process emit it.
    handleSIGHUP: false,
  });
  scope.after(() => browser.close());

  return {
    open: async ({ origin, width = 1280, height = 900, ...options }) => {
      const context = await browser.newContext({
        colorScheme: 'light',
        reducedMotion: 'reduce',
        ...options,
        viewport: { width, height },
      });
      // No test promises how quick a page is.
      context.setDefaultTimeout(HANGS_MS);
      const page = await context.newPage();
      const incidents: Incidents = { console: [], errors: [], dialogs: [], outside: [] };
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) incidents.console.push(message.text());
      });
      page.on('pageerror', (error) => incidents.errors.push(error.message));
      page.on('dialog', async (dialog) => {
        incidents.dialogs.push(dialog.message());
        await dialog.dismiss();
      });
      await context.route(
        (url) => ![origin].flat().includes(url.origin),
        async (route) => {
          incidents.outside.push(`${route.request().resourceType()} ${route.request().url()}`);
          await route.abort();
        },
      );
      return { page, incidents };
    },
  };
}
