// The HTML of texts, read by browsers: each has to see the elements that were written, and no others.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { BROWSERS } from '../../proofs/browsers/checks.ts';
import { anyHtml, anyMarkdown } from '../../support/content/any-texts.ts';
import { renderForPage, renderMarkdown } from '../../support/content/texts.ts';
import { readWritten } from '../../support/content/written-html.ts';
import { PAYLOADS } from '../../support/content/xss-payloads.ts';
import { sharedScope } from '../../support/processes/scope.ts';

const TEXTS = 1_000;
const AT_ONCE = 250;
/** Another one each day, which failures name. */
const seed = Math.floor(Date.now() / 86_400_000);

/** Runs in the browser: the same values as those of `readWritten`. */
const READ = `(html) => {
  const template = document.createElement('template');
  template.innerHTML = html;
  const read = (node) => node.nodeType === Node.TEXT_NODE ? node.data : [
    node.localName,
    Object.fromEntries([...node.attributes].map(({ name, value }) => [name, value])),
    [...node.childNodes].map(read),
  ];
  return [...template.content.childNodes].map(read);
}`;

describe('browsers see the HTML of a text as it was written', () => {
  const scope = sharedScope();
  const texts = [...fc.sample(fc.oneof(anyHtml(), anyMarkdown()), { numRuns: TEXTS, seed }), ...PAYLOADS];
  const written = texts.flatMap((text) => [
    { text, html: renderMarkdown(text), place: 'field' } as const,
    { text, html: renderForPage(text).html, place: 'page' } as const,
  ]);

  for (const [name, start] of Object.entries(BROWSERS))
    it(`${name} reads fields and pages of any text, and of known XSS vectors`, async () => {
      const window = await start(scope, 'light', []);
      await window.open('about:blank');
      for (let at = 0; at < written.length; at += AT_ONCE) {
        const some = written.slice(at, at + AT_ONCE);
        const htmls = JSON.stringify(some.map(({ html }) => html));
        const seen = await window.evaluate<unknown[]>(`${htmls}.map(${READ})`);
        for (const [index, { text, html, place }] of some.entries())
          assert.deepEqual(seen[index], readWritten(html, place), `seed ${seed}: ${JSON.stringify(text)}`);
      }
    });
});
