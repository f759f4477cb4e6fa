// A real browser for the tests of what is put into pages.
import { chromium, type Page } from 'playwright-core';
import { ensureServers, serverProgram } from '../../cluster/debian.ts';
import type { Scope } from '../../support/processes/scope.ts';

export type PageOptions = Readonly<{
  /** The one address that the page may ask. */
  origin: string;
  width?: number;
  height?: number;
  colorScheme?: 'light' | 'dark';
  javaScriptEnabled?: boolean;
}>;

/** What happened on a page that should not happen on a page of ours. */
export type Incidents = Readonly<{
  /** Errors and warnings, violations of the content-security policy among them. */
  console: string[];
  errors: string[];
  dialogs: string[];
  /** Everything that was asked of another address. None of it is let out. */
  outside: string[];
}>;

export type OpenedPage = Readonly<{ page: Page; incidents: Incidents }>;
export type Browser = Readonly<{ open: (options: PageOptions) => Promise<OpenedPage> }>;

/** With a profile of its own, which is gone with the scope. */
export async function startChromium(scope: Scope): Promise<Browser> {
  await ensureServers(['chromium']);
  const browser = await chromium.launch({
    executablePath: serverProgram('chromium'),
    // Its sandbox refuses to be started by root, as whom tests often run in a container.
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  scope.after(() => browser.close());

  return {
    open: async ({ origin, width = 1280, height = 900, colorScheme = 'light', javaScriptEnabled = true }) => {
      const viewport = { width, height };
      const context = await browser.newContext({ viewport, colorScheme, javaScriptEnabled });
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
        (url) => url.origin !== origin,
        async (route) => {
          incidents.outside.push(`${route.request().resourceType()} ${route.request().url()}`);
          await route.abort();
        },
      );
      return { page, incidents };
    },
  };
}
