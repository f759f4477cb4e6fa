// The pages' style sheet.
import {
  accentColours,
  DARK_BACKGROUND,
  DARK_SURFACE,
  LIGHT_BACKGROUND,
  LIGHT_SURFACE,
} from '../../domain/accent.ts';
import { PRODUCT_RULES } from '../../domain/content/appearance.ts';
import type { Site } from './views.ts';

/** Colours are pairs for light and dark, each with a contrast of at least 4.5 on the page. */
export const PALETTE = `:root {
  color-scheme: light dark;
  --page: light-dark(${LIGHT_BACKGROUND}, ${DARK_BACKGROUND});
  --raised: light-dark(${LIGHT_SURFACE}, ${DARK_SURFACE});
  --line: light-dark(#e4e7eb, #262c35);
  --edge: light-dark(#87909a, #6b7480);
  --text: light-dark(#2d333b, #cdd3db);
  --strong: light-dark(#0f1216, #f4f6f8);
  --quiet: light-dark(#5b6470, #98a2ae);
  --accent: light-dark(#0a58ca, #79b4ff);
  --green: light-dark(#116329, #6fdd8b);
  --blue: light-dark(#0b4fae, #8dbdff);
  --amber: light-dark(#7a4a00, #efc06a);
  --violet: light-dark(#5a35ab, #c4b0ff);
  --red: light-dark(#ae1a1f, #ff958f);
  --mono: Menlo, Consolas, monospace;
}
`;

export const TAG = `.tag { display: inline-block; font-size: .8125rem; font-weight: 600; line-height: 1.5; padding: .125rem .5rem; border: 1px solid transparent; border-radius: .375rem; color: var(--type); background: color-mix(in srgb, var(--type) 10%, var(--page)); }
`;

/** Authored texts. Long ones begin where their direction says, and short ones where the page begins. */
export const TEXTS = `.text > * + *, .text li > * + * { margin-top: .75rem; }
.text :is(h2, h3, h4, h5, h6) { font-size: 1rem; color: var(--strong); }
.text :is(ul, ol) { list-style: revert; padding-inline-start: 1.25rem; }
.text li + li { margin-top: .25rem; }
code, pre { font: .875em/1.5 var(--mono); background: var(--raised); border-radius: .375rem; }
code { padding: .125rem .25rem; direction: ltr; unicode-bidi: isolate; }
pre { padding: .75rem 1rem; direction: ltr; text-align: left; }
pre code { font: inherit; padding: 0; }
pre, .scroll { overflow: auto; overflow-wrap: normal; }
blockquote { padding-inline-start: 1rem; border-inline-start: 2px solid var(--edge); }
img { max-width: 100%; height: auto; }
hr { border: 0; border-top: 1px solid var(--line); }
table { border-collapse: collapse; font-size: .875rem; }
th, td { text-align: start; vertical-align: top; padding: .5rem 1rem; border: 1px solid var(--line); }
.left { text-align: left; }
.center { text-align: center; }
.right { text-align: right; }
[dir=auto]:not(.text, .change) { text-align: left; }
[dir=rtl] [dir=auto]:not(.text, .change) { text-align: right; }
`;

/** The colours of change types. */
export const TYPES = `.added { --type: var(--green); }
.changed { --type: var(--blue); }
.deprecated, .removed { --type: var(--amber); }
.fixed { --type: var(--violet); }
.security, .alarm, .breaking { --type: var(--red); }
.other { --type: var(--quiet); }
`;

const SOURCE = `
${PALETTE}* { box-sizing: border-box; }
html { scroll-padding-top: 2rem; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--page); color: var(--text); overflow-wrap: anywhere; font: 1rem/1.65 system-ui, sans-serif; }
.top, main, footer { width: min(100% - 2.5rem, 54rem); margin: auto; }
h1, h2, h3 { color: var(--strong); font-weight: 600; line-height: 1.2; text-wrap: balance; }
h1, h2, h3, h4, h5, h6, p, ul, ol, pre, blockquote, fieldset { margin: 0; }
ul { list-style: ""; padding: 0; }
a { color: inherit; text-decoration: none; }
a:hover, .text a, .empty a, .note a, .also a { color: var(--accent); text-decoration: underline 1px; text-underline-offset: .2em; }
:focus-visible, .change:target { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: .25rem; }
.skip { position: absolute; top: -9rem; padding: .5rem 1rem; background: var(--page); z-index: 1; }
.skip:focus { top: .5rem; }
.sr { position: absolute; clip-path: inset(50%); }

.top, .aside, .crumbs, .search, .picks, .chips, .tools, .found, .menu li, .when, .more, .team, footer ul, .checks { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem 1.25rem; }
.top, .more, .team, .menu li, .last, .picks, .newest { justify-content: space-between; }
.top { align-items: start; padding-block: 1.25rem; font-size: .875rem; color: var(--quiet); }
.top > * { min-height: 2.25rem; align-content: center; }
.aside { flex: 1 1 auto; justify-content: end; align-items: start; }
.aside > a { line-height: 1.75rem; }
.menu summary { display: flex; gap: .5rem; padding: .25rem .75rem; line-height: 1.625rem; border: 1px solid var(--edge); border-radius: .5rem; color: var(--strong); font-weight: 600; }
.menu summary::after { content: "▾" / ""; }
.menu div { width: 0; min-width: 100%; display: flex; justify-content: end; }
.menu ul { flex: none; width: max-content; max-width: calc(100vw - 2.5rem); margin-top: .5rem; padding: .5rem 1rem; background: var(--raised); border-radius: .75rem; }
.menu li a { padding-block: .5rem; }
.menu li a:first-child { flex: 1; color: var(--strong); }
.top a, footer a, .more a, .when a, .note a, .team a { padding-block: .25rem; }
.crumbs { gap: .5rem; }
.crumbs li + li::before { content: "/"; color: var(--edge); margin-inline-end: .5rem; }
.crumbs li + li { color: var(--strong); font-weight: 600; }
.logo { flex: none; width: 2rem; height: 2rem; object-fit: contain; border-radius: .375rem; }
.top .logo { width: auto; max-width: 8rem; }
.hero { padding-block: clamp(1.5rem, 6vw, 4rem) 2rem; }
h1 { font-size: clamp(2rem, 1.5rem + 2vw, 2.75rem); }
:is(h1, .title):dir(ltr) { letter-spacing: -.02em; }
.cover { display: block; width: 100%; aspect-ratio: 1200 / 630; object-fit: cover; margin-top: 1.5rem; border-radius: .75rem; background: var(--raised); }
.hero .cover { aspect-ratio: 5 / 2; }
.lede { color: var(--quiet); margin-top: .75rem; }

.search { position: relative; flex-wrap: nowrap; gap: .5rem; max-width: 34rem; }
.clear { flex: none; width: 2.75rem; margin-inline: -3.25rem .5rem; line-height: 2.75rem; text-align: center; }
/* The field has the direction of its text. */
.search:dir(ltr) :has(+ .clear) { padding-right: 2.75rem; }
.search:dir(rtl) :has(+ .clear) { padding-left: 2.75rem; }
::-webkit-search-cancel-button { display: none; }
.field, button { font: inherit; font-size: 1rem; min-height: 2.75rem; padding: .25rem .75rem; color: var(--strong); background: var(--page); border: 1px solid var(--edge); border-radius: .5rem; width: 100%; }
button { width: auto; font-weight: 600; cursor: pointer; background: var(--strong); color: var(--page); padding-inline: 1rem; white-space: nowrap; }
button:hover { background: var(--text); }
::placeholder { color: var(--quiet); opacity: 1; }
[aria-invalid] { border: 2px solid var(--red); }
[type=checkbox] { width: 1.25rem; height: 1.25rem; margin: 0; accent-color: var(--accent); }
summary { width: fit-content; padding-block: .5rem; font-size: .875rem; color: var(--quiet); cursor: pointer; }
summary:hover { color: var(--accent); }
.fields { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 10rem), 1fr)); gap: 1.25rem; padding: 1.25rem; margin-bottom: 1rem; background: var(--raised); border-radius: .75rem; font-size: .875rem; }
.fields .field { margin-top: .25rem; }
.pair { row-gap: .75rem; max-width: 30rem; }
.row { max-width: 36rem; }
.row button { align-self: end; }
.wide { grid-column: 1 / -1; }
fieldset, legend { border: 0; padding: 0; }
.check { display: flex; align-items: center; gap: .5rem; min-height: 2rem; }
.problem { color: var(--red); margin-top: .25rem; }
.note h2 { font-size: 1rem; color: var(--red); }

.picks { row-gap: .5rem; margin-top: 1rem; }
.picks .chips { max-height: 7rem; overflow: auto; margin: -.25rem; padding: .25rem; }
.chips { gap: .375rem; font-size: .875rem; }
.chips a { display: flex; align-items: center; gap: .375rem; min-height: 2rem; padding-inline: .625rem; border: 1px solid var(--line); border-radius: 1rem; }
.chips a, .majors span { unicode-bidi: plaintext; }
.chips [aria-current] { background: var(--strong); color: var(--page); --type: currentColor; forced-color-adjust: none; }
.dot::before, .change::before { content: ""; width: 0; height: 0; border: .1875rem solid var(--type, var(--edge)); border-radius: 50%; }
.tools { align-items: start; gap: 0 1rem; margin-block: .5rem 1.5rem; }
.tools [open] { flex-basis: 100%; }
.majors { display: block; max-height: 24rem; overflow: auto; }
.majors ul { gap: 0 .25rem; }
.majors > ul > li { display: grid; grid-template-columns: minmax(3.5rem, auto) minmax(0, 1fr); line-height: 2rem; }
.majors > ul > li + li { margin-top: .75rem; }
.majors span { justify-self: start; }
.majors a { border: 0; padding-inline: .5rem; }
.found { margin-bottom: 1.5rem; font-size: .875rem; }
.found p { color: var(--strong); font-weight: 600; }
.found > a { color: var(--accent); padding-block: .25rem; }

.version, .empty, .more, footer { border-top: 1px solid var(--line); padding-block: 2.5rem; }
.when { align-items: baseline; font-size: .875rem; color: var(--quiet); margin-bottom: .75rem; }
.when .u-url { margin: -.25rem 0; }
.label, .in, .status { font: 600 .875rem/1.75 var(--mono); color: var(--accent); }
.version :is(.label, .title, h2 a) { display: block; }
.version h2 { font-size: 1.5rem; }
.single { border: 0; }
.yanked :is(.label, .title) { color: var(--quiet); text-decoration: line-through; }
${TAG}.note { padding: .75rem 1rem; border-radius: .5rem; background: var(--raised); }
.note, .e-content > :is(.text, .also) { margin-top: 1rem; }
.hero + .note { margin: 0 0 2rem; }
.group { margin-top: 2rem; }
.changes { margin-top: .75rem; }
.change { display: grid; grid-template-columns: 1rem minmax(0, 1fr) 2rem; padding-block: .25rem; }
.change::before { margin-top: .625rem; }
.mark { display: block; color: var(--red); font-size: .875rem; }
.change:target { background: var(--raised); outline-offset: .25rem; }
.anchor { grid-area: 1 / 3; width: 2rem; height: 1.75rem; line-height: 1.75rem; text-align: center; color: var(--quiet); }
mark { color: inherit; background: light-dark(#ffec99, #665200); border-radius: .125rem; }
.in, .also, .count { grid-column: 2; font-weight: 400; color: var(--quiet); }
.of { flex-basis: 100%; font-weight: 600; }
.of span { color: var(--strong); }
.also, .count { font-size: .875rem; }
@media (hover: hover) { .anchor { opacity: 0; } :is(.change:hover, .change:target) .anchor, .anchor:focus-visible { opacity: 1; } }

${TEXTS}
.empty h2 { font-size: 1.25rem; }
.item :is(h2, h3) { font-size: 1.125rem; }
.team { margin-bottom: 1rem; font-size: .875rem; }
.more { padding-block: 1.5rem; font-weight: 600; color: var(--strong); }
footer { font-size: .875rem; color: var(--quiet); }
.items { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 16rem), 1fr)); gap: 1rem; padding-bottom: 2.5rem; }
.item { position: relative; padding: 1.25rem; border: 1px solid var(--line); border-radius: .75rem; }
.name, .newest { display: flex; gap: .75rem; }
.name { align-items: center; color: var(--quiet); }
.newest { flex-wrap: wrap; margin-top: .75rem; }
.item div div { min-width: 0; }
.item :is(p, ul) { font-size: .875rem; color: var(--quiet); }
.item ul { margin-top: .5rem; }
.item li { display: flex; gap: .5rem; }
.item li::before { flex: none; margin-top: .5rem; }
bdi, .name a { display: inline-block; }
.name a { padding-block: .125rem; }
.name a::after { content: ""; position: absolute; inset: 0; border-radius: .75rem; }
.item .label { position: relative; }
.item .about { color: var(--text); }
.item .logo { width: 2.5rem; height: 2.5rem; }
.logo text { fill: var(--page); font: 600 1.25rem system-ui; text-anchor: middle; }
.brand { display: flex; align-items: center; gap: .5rem; color: var(--strong); font-weight: 600; }
.brand svg { width: 1.25rem; stroke: var(--accent); stroke-width: 2; }
.ways { display: flex; flex-wrap: wrap; gap: .75rem; padding-bottom: 4rem; }
.button { padding: .5rem 1rem; border: 1px solid var(--edge); border-radius: .5rem; color: var(--strong); font-weight: 600; }
.chips a:hover, .item:hover, .button:hover { border-color: var(--accent); text-decoration: none; }
[dir=rtl] [aria-hidden]:not(.logo) { display: inline-block; scale: -1 1; }

@media (48rem > width) {
  .aside > a:first-child { margin-inline-end: auto; }
  .picks .chips { flex-wrap: nowrap; white-space: nowrap; margin-inline: -1.25rem; padding-inline: 1.25rem 3rem; scroll-padding: 5rem; mask-image: linear-gradient(90deg, #000 88%, #0000); }
  .picks li:has([aria-current]) { order: -1; }
  .picks .chips:dir(rtl) { mask-image: linear-gradient(270deg, #000 88%, #0000); }
  .h-feed .items { display: flex; overflow: auto; margin-inline: -1.25rem; padding-inline: 1.25rem; }
  .h-feed .item { flex: 1 0 14rem; }
}
@media (width >= 48rem) {
  .version { display: grid; grid-template-columns: 10rem minmax(0, 1fr); gap: 2rem; padding-block: 3.5rem; }
  .when { position: sticky; top: 2rem; align-self: start; }
  .range { grid-template-columns: 1rem minmax(0, 1fr) 2rem minmax(0, 8rem); }
  .in { grid-column: 4; justify-self: end; }
}
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
@media print {
  :root { color-scheme: light; }
  form, .menu, .picks, .tools, .found, .anchor, .more, footer { display: none; }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; }
  .scroll { overflow: visible; }
  .change, pre, tr { break-inside: avoid; }
  h1, h2, h3 { break-after: avoid; }
}
${TYPES}`;

export const STYLE = minify(SOURCE);

/** Three lines of text. */
export const ICON_PATH = 'M2 4h12M2 8h12M2 12h7';
/** Its characters need no escaping in an attribute. */
export const ICON =
  `data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath stroke='%230a58ca' stroke-width='2' d='${ICON_PATH}'/%3E%3C/svg%3E`.replaceAll(
    ' ',
    '%20',
  );

/** Enough for this style sheet, whose only significant spaces are in font names. */
export function minify(css: string): string {
  return css
    .replaceAll(/\/\*.*?\*\//gs, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([{};,>]) ?/g, '$1')
    .replaceAll(/: /g, ':')
    .replaceAll(/;\}/g, '}')
    .trim();
}

/** Ours, then the product's accent colour, then the operator's sheet, which may override both. */
export function sheetFor({ extraCss }: Pick<Site, 'extraCss'>, accent: string | null): string {
  return STYLE + writeAccent(accent) + extraCss;
}

/** Checked again: a value written by SQL could end the style sheet, and the policy would allow it. */
export function writeAccent(accent: string | null): string {
  const colour = accent === null ? null : PRODUCT_RULES.accent.read(accent);
  if (colour === null) return '';
  const { light, dark } = accentColours(colour);
  return `:root{--accent:light-dark(${light},${dark})}`;
}
