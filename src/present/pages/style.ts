// The style sheet of the pages, and the policy that allows it.
import { hash } from 'node:crypto';
import type { Site } from './views.ts';

/** Colours are pairs for light and dark. Both sides of each have a contrast of 4.5 or more on the page. */
const SOURCE = `
:root {
  color-scheme: light dark;
  --page: light-dark(#ffffff, #0e1116);
  --raised: light-dark(#f6f7f9, #171b22);
  --line: light-dark(#e4e7eb, #262c35);
  --edge: light-dark(#8b949e, #6b7480);
  --text: light-dark(#24292f, #d5dae1);
  --strong: light-dark(#0f1216, #f4f6f8);
  --quiet: light-dark(#5b6470, #98a2ae);
  --accent: light-dark(#0a58ca, #79b4ff);
  --added: light-dark(#116329, #6fdd8b);
  --changed: light-dark(#0b4fae, #8dbdff);
  --deprecated: light-dark(#7a4a00, #efc06a);
  --removed: light-dark(#9a1546, #ff9dbb);
  --fixed: light-dark(#5a35ab, #c4b0ff);
  --security: light-dark(#9c2a06, #ffab8a);
  --other: light-dark(#4a535e, #b4bdc8);
  --alarm: light-dark(#b3151d, #ff8d87);
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace;
}
*, ::before { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scroll-padding-top: 2rem; }
body {
  margin: 0; background: var(--page); color: var(--text); overflow-wrap: anywhere;
  font: 1rem/1.65 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
.top, main, footer { width: min(100% - 2.5rem, 56rem); margin-inline: auto; }
h1, h2, h3 { color: var(--strong); line-height: 1.2; text-wrap: balance; margin: 0; }
p, ul, ol { margin: 0; }
a { color: inherit; text-decoration-color: var(--edge); text-decoration-thickness: 1px; text-underline-offset: .2em; }
a:hover { color: var(--accent); text-decoration-color: currentColor; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 3px; border-radius: 4px; }
.skip { position: absolute; inset-inline-start: 1rem; top: -9rem; padding: .5rem 1rem; background: var(--page); z-index: 1; }
.skip:focus { top: 1rem; }
.sr { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

.top { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; justify-content: space-between; align-items: center; padding-block: 1.25rem; font-size: .9375rem; }
.crumbs { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem .625rem; list-style: ""; padding: 0; min-width: 0; }
.crumbs li + li::before { content: "/"; color: var(--edge); margin-inline-end: .625rem; }
.top a, footer a, .more a { display: inline-block; padding-block: .25rem; text-decoration: none; }
.top a:hover, footer a:hover, .more a:hover { text-decoration: underline; }
.crumbs b { color: var(--strong); font-weight: 600; }
.logo { display: block; width: 2rem; height: 2rem; object-fit: contain; border-radius: .375rem; }

.hero { padding-block: clamp(2rem, 6vw, 4.5rem) 2rem; }
h1 { font-size: clamp(2rem, 1.5rem + 2.4vw, 3rem); font-weight: 650; letter-spacing: -.03em; line-height: 1.1; }
.lede { color: var(--quiet); font-size: 1.0625rem; margin-top: .875rem; max-width: 40rem; }

form { margin-bottom: 1.5rem; }
.search { display: flex; gap: .5rem; max-width: 32rem; }
.search input { flex: 1; min-width: 0; }
input:not([type=checkbox]), button {
  font: inherit; font-size: 1rem; min-height: 2.75rem; padding: .375rem .875rem; color: var(--strong);
  background: var(--page); border: 1px solid var(--edge); border-radius: .625rem; max-width: 100%;
}
button { font-weight: 550; cursor: pointer; background: var(--strong); border-color: var(--strong); color: var(--page); }
button:hover { background: var(--text); }
input::placeholder { color: var(--quiet); opacity: 1; }
input[aria-invalid] { border-color: var(--alarm); box-shadow: 0 0 0 1px var(--alarm); }
input[type=checkbox] { width: 1.125rem; height: 1.125rem; margin: 0; accent-color: var(--accent); flex: none; }
details { margin-top: .75rem; }
summary { display: inline-block; padding: .25rem 0; color: var(--quiet); font-size: .9375rem; cursor: pointer; }
summary:hover { color: var(--accent); }
.fields { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 11rem), 1fr)); gap: 1.25rem; margin-top: .5rem; padding: 1.25rem; background: var(--raised); border-radius: .875rem; }
.fields .wide { grid-column: 1 / -1; }
.fields label, legend { font-size: .875rem; font-weight: 550; color: var(--strong); }
.fields input:not([type=checkbox]) { display: block; width: 100%; margin-top: .25rem; }
fieldset { border: 0; padding: 0; margin: 0; min-width: 0; }
legend { padding: 0; }
.checks { display: flex; flex-wrap: wrap; gap: .125rem 1.25rem; }
.fields .check { display: inline-flex; align-items: center; gap: .5rem; min-height: 2rem; font-weight: 400; color: var(--text); }
.problem { color: var(--alarm); font-size: .875rem; margin-top: .25rem; }
.summary { border: 1px solid var(--alarm); border-radius: .875rem; padding: 1rem 1.25rem; margin-bottom: 1.5rem; max-width: 42rem; }
.summary h2 { font-size: 1rem; color: var(--alarm); }
.summary ul { padding-inline-start: 1.25rem; }
.summary a { display: inline-block; padding-block: .125rem; }

.chips { display: flex; flex-wrap: wrap; gap: .375rem; align-items: center; font-size: .875rem; list-style: ""; padding: 0; }
.chips + .chips { margin-top: .5rem; }
.chips a { display: inline-flex; align-items: center; gap: .4rem; min-height: 1.875rem; padding: .125rem .75rem; border: 1px solid var(--line); border-radius: 9rem; text-decoration: none; color: var(--text); max-width: 100%; }
.chips a:hover { border-color: var(--accent); color: var(--accent); }
.chips [aria-current] { background: var(--strong); border-color: var(--strong); color: var(--page); }
.chips [aria-current]:hover { color: var(--page); }
.dot::before { content: ""; width: .5rem; height: .5rem; border-radius: 50%; background: var(--type); flex: none; }
.years { font-variant-numeric: tabular-nums; }
.applied { margin-top: 1.25rem; }

.version { padding-block: 2.5rem; border-top: 1px solid var(--line); }
.hero + .version { border-top: 0; padding-top: 0; }
.when { color: var(--quiet); font-size: .9375rem; display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: baseline; margin-bottom: .5rem; }
.when a { display: inline-block; padding-block: .125rem; text-decoration: none; }
.label { display: block; font: 600 .9375rem/1.5 var(--mono); font-variant-numeric: tabular-nums; color: var(--accent); letter-spacing: 0; margin-bottom: .25rem; }
.version h2 { font-size: 1.5rem; font-weight: 650; letter-spacing: -.02em; }
.version h2 a, .item h2 a { text-decoration: none; color: inherit; }
.version h2 a:hover span, .item h2 a:hover { text-decoration: underline; text-decoration-thickness: 1px; text-underline-offset: .2em; }
.yanked .label, .yanked .title { text-decoration: line-through; text-decoration-color: var(--quiet); }
.note { margin-top: 1rem; padding: .75rem 1rem; border-radius: .625rem; background: var(--raised); }
.tag { display: inline-block; font-size: .8125rem; font-weight: 600; line-height: 1.5; padding: .0625rem .5rem; border: 1px solid transparent; border-radius: .375rem; color: var(--type); background: color-mix(in srgb, var(--type) 10%, var(--page)); }
.when .tag { padding-block: .125rem; }
.alarm { --type: var(--alarm); }
.group { margin-top: 1.75rem; }
.changes { list-style: ""; padding: 0; margin-top: .5rem; }
.change { position: relative; display: grid; grid-template-columns: 1rem minmax(0, 1fr) 2rem; padding-block: .3125rem; border-radius: .5rem; }
.change::before { content: ""; width: .3125rem; height: .3125rem; margin-top: .7rem; border-radius: 50%; background: var(--edge); }
.change.breaking::before { background: var(--alarm); }
.breaking .mark { display: block; color: var(--alarm); font-size: .8125rem; font-weight: 650; }
.change:target { background: color-mix(in srgb, var(--accent) 10%, var(--page)); box-shadow: 0 0 0 .5rem color-mix(in srgb, var(--accent) 10%, var(--page)); }
.anchor { align-self: start; justify-self: end; width: 1.75rem; height: 1.75rem; line-height: 1.75rem; text-align: center; text-decoration: none; color: var(--quiet); border-radius: .375rem; }
.anchor:hover { background: var(--raised); }
@media (hover: hover) { .anchor { opacity: 0; } .change:hover .anchor, .anchor:focus-visible, .change:target .anchor { opacity: 1; } }
.in { display: inline-block; font: 500 .8125rem/1.9 var(--mono); color: var(--quiet); text-decoration: none; max-width: 100%; }

.text { max-width: 42rem; }
.text > * + * { margin-top: .75rem; }
.body > .text { margin-top: 1rem; }
.text a { color: var(--accent); text-decoration-color: color-mix(in srgb, currentColor 40%, transparent); }
.text a:hover { text-decoration-color: currentColor; }
.text :is(h2, h3, h4, h5, h6) { font-size: 1.0625rem; font-weight: 650; line-height: 1.4; letter-spacing: 0; color: var(--strong); margin-bottom: 0; }
.text :is(ul, ol) { padding-inline-start: 1.375rem; }
.text li + li, .text li > :is(ul, ol) { margin-top: .25rem; }
.text li::marker { color: var(--quiet); }
code { font: .875em/1.5 var(--mono); background: var(--raised); padding: .125em .3em; border-radius: .3em; box-decoration-break: clone; -webkit-box-decoration-break: clone; }
pre { margin: 0; padding: .875rem 1rem; overflow-x: auto; overflow-wrap: normal; background: var(--raised); border-radius: .625rem; font: .875rem/1.6 var(--mono); direction: ltr; text-align: left; }
pre code { font: inherit; padding: 0; background: none; }
blockquote { margin: 0; padding-inline-start: 1rem; border-inline-start: 3px solid var(--line); color: var(--quiet); }
img { max-width: 100%; height: auto; vertical-align: middle; }
.text img { border-radius: .5rem; }
hr { border: 0; border-top: 1px solid var(--line); }
.scroll { overflow-x: auto; overflow-wrap: normal; }
table { border-collapse: collapse; font-size: .9375rem; }
th, td { text-align: start; vertical-align: top; padding: .375rem 1.5rem .375rem 0; border-bottom: 1px solid var(--line); }
th { color: var(--strong); font-weight: 600; }
.left { text-align: left; } .center { text-align: center; } .right { text-align: right; }

.empty { padding-block: 3rem; border-top: 1px solid var(--line); }
.empty h2 { font-size: 1.25rem; margin-bottom: .5rem; }
.more { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; justify-content: space-between; padding-block: 1.5rem; border-top: 1px solid var(--line); font-weight: 550; color: var(--strong); }
footer { margin-top: 2rem; padding-block: 2rem 3rem; border-top: 1px solid var(--line); color: var(--quiet); font-size: .875rem; }
footer ul { display: flex; flex-wrap: wrap; gap: .125rem 1.25rem; list-style: ""; padding: 0; }

.items { list-style: ""; padding: 0; }
.item { display: flex; gap: 1rem; padding-block: 1.5rem; border-top: 1px solid var(--line); }
.item .logo { width: 2.5rem; height: 2.5rem; flex: none; }
.item h2 { font-size: 1.25rem; font-weight: 650; letter-spacing: -.01em; }
.item p { color: var(--quiet); }
.status { font: 600 .9375rem/1.5 var(--mono); color: var(--quiet); margin-bottom: .5rem; }

@media (min-width: 52rem) {
  .version { display: grid; grid-template-columns: 9.5rem minmax(0, 1fr); column-gap: 2.5rem; padding-block: 3.5rem; }
  .when { position: sticky; top: 2rem; align-self: start; flex-direction: column; margin: .125rem 0 0; }
}
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } .anchor, .chips a { transition: opacity .15s, color .15s, border-color .15s; } }
@media print {
  :root { color-scheme: light; }
  form, .chips, .anchor, .more, .skip, footer { display: none; }
  body { font-size: 11pt; }
  .version { padding-block: 1.5rem; }
  .change, pre, table { break-inside: avoid; }
  h1, h2, h3 { break-after: avoid; }
}
${['added', 'changed', 'deprecated', 'removed', 'fixed', 'security', 'other'].map((type) => `.${type} { --type: var(--${type}); }`).join('\n')}
`;

export const STYLE = minify(SOURCE);

/** Enough for this style sheet, which has no texts with spaces that count besides font names. */
function minify(css: string): string {
  return css
    .replaceAll(/\/\*.*?\*\//gs, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([{};,]) ?/g, '$1')
    .replaceAll(/: /g, ':')
    .replaceAll(/;\}/g, '}')
    .trim();
}

export type Sheet = Readonly<{ css: string; policy: string }>;

/** Ours, then the accent colour of a product, then the sheet that the operator adds, so that it can change both. */
export function sheetFor({ extraCss }: Pick<Site, 'extraCss'>): Sheet {
  const css = STYLE + asContent(extraCss);
  return { css, policy: policyFor(css) };
}

/** As browsers read it inside an element: otherwise the hash differs. */
function asContent(css: string): string {
  return css
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll('\0', '\ufffd')
    .replaceAll(/<(?=\/style)/gi, '\\3c ')
    .toWellFormed();
}

const POLICIES_MAX = 100;
const policies = new Map<string, string>();

/** Allows this style sheet, images and our own forms; no script. */
export function policyFor(css: string): string {
  const known = policies.get(css);
  if (known !== undefined) return known;
  const policy = `default-src 'none'; style-src 'sha256-${hash('sha256', css, 'base64')}'; img-src https: data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'`;
  if (policies.size >= POLICIES_MAX) policies.clear();
  policies.set(css, policy);
  return policy;
}
