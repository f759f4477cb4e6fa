// The style sheet of documents with release notes, and the policy that allows it and nothing else.
import { hashOf, NO_SCRIPT } from '../pages/policy.ts';
import { minify, PALETTE, TAG, TEXTS, TYPES, writeAccent } from '../pages/style.ts';

/** For a web view of about 400 pixels. Sparkle marks the installed version; what it has is not news. */
const STYLE = minify(`
${PALETTE}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; padding: 1rem 1.25rem; background: var(--page); color: var(--text); overflow-wrap: anywhere; font: .875rem/1.55 system-ui, sans-serif; }
h2, h3, h4, h5, h6, p, ul, ol, pre, blockquote { margin: 0; }
h2, h3 { color: var(--strong); font-weight: 600; line-height: 1.3; text-wrap: balance; }
a { color: var(--accent); text-underline-offset: .2em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: .25rem; }
article + article { border-top: 1px solid var(--line); margin-top: 1.5rem; padding-top: 1.5rem; }
.sparkle-installed-version, .sparkle-installed-version ~ article { display: none; }
article > * + * { margin-top: 1rem; }
article > ul { margin-top: .5rem; padding: 0; }
article > ul > li { margin-inline-start: 1.125rem; }
article > ul > li + li { margin-top: .375rem; }
article > ul > ::marker { color: var(--edge); }
.label { display: block; font: 600 .875rem/1.75 var(--mono); color: var(--accent); }
.title { font-size: 1.125rem; }
time { color: var(--quiet); font-size: .8125rem; }
${TAG}
${TEXTS}
.text > * + *, .text li > * + * { margin-top: .5rem; }
.text :is(h2, h3, h4, h5, h6) { font-size: .9375rem; }
${TYPES}
`);

export function sheetFor(accent: string | null): { css: string; policy: string } {
  const css = STYLE + writeAccent(accent);
  const policy = `default-src 'none'; style-src ${hashOf(css)}; form-action 'none'; base-uri 'none'; frame-ancestors *; ${NO_SCRIPT}`;
  return { css, policy };
}
