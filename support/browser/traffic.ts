// What opening a page costs and what its content security policy blocks.
import type { Page } from 'playwright-core';

export type Traffic = Readonly<{
  /** Every request, also for icons and other URLs of the page's own server. */
  requests: string[];
  /** Blocked by the content security policy: the directive and what it blocked. */
  violations: () => Promise<string[]>;
  /** Scripts of the page: files, script elements, attributes such as `onclick`. Data blocks do not count. */
  scriptBytes: () => Promise<number>;
}>;

/** Call it before the page is opened. Also works with JavaScript switched off. */
export async function watchTraffic(page: Page): Promise<Traffic> {
  const requests: string[] = [];
  const violations: string[] = [];
  const files: Promise<number>[] = [];
  page.on('request', (request) => requests.push(`${request.method()} ${request.url()}`));
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script')
      files.push(response.body().then(({ length }) => length));
  });
  const session = await page.context().newCDPSession(page);
  session.on('Audits.issueAdded', ({ issue }) => {
    const details = issue.details.contentSecurityPolicyIssueDetails;
    if (details !== undefined)
      violations.push(
        `${details.violatedDirective} ${details.blockedURL ?? details.contentSecurityPolicyViolationType}`,
      );
  });
  await session.send('Audits.enable');

  return {
    requests,
    violations: async () => {
      // Reports made before this round trip have arrived after it.
      await page.evaluate('document.body.offsetHeight');
      return violations;
    },
    scriptBytes: async () => {
      const inline: string = await page.evaluate(INLINE_SCRIPTS);
      return Buffer.byteLength(inline) + (await Promise.all(files)).reduce((sum, each) => sum + each, 0);
    },
  };
}

const INLINE_SCRIPTS = `[
  ...[...document.scripts].filter(({ type }) => /^$|script|module/.test(type)).map(({ text }) => text),
  ...[...document.querySelectorAll('*')].flatMap(({ attributes }) =>
    [...attributes].filter(({ name }) => name.startsWith('on')).map(({ value }) => value)),
].join('')`;
