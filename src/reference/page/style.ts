// The page's style sheet. It must not contain `</style`.

/** Uses the same colours and type as the other pages. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --page: #ffffff; --raised: #f6f7f9; --line: #e4e7eb; --edge: #87909a; --text: #2d333b; --strong: #0f1216;
  --quiet: #5b6470; --accent: #0a58ca; --method: #116329; --variable: #9c2a06;
  --mono: Menlo, Consolas, monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0e1116; --raised: #171b22; --line: #262c35; --edge: #6b7480; --text: #cdd3db; --strong: #f4f6f8;
    --quiet: #98a2ae; --accent: #79b4ff; --method: #6fdd8b; --variable: #ffab8a;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 2rem; -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
body {
  margin: 0 auto; max-width: 76rem; padding: 0 2rem 5rem; background: var(--page); color: var(--text); overflow-wrap: break-word;
  font: 1rem/1.65 system-ui, sans-serif;
  display: grid; grid-template-columns: 14rem minmax(0, 48rem); column-gap: clamp(2.5rem, 6vw, 5.5rem);
}
header { grid-column: 1 / -1; padding: clamp(2rem, 6vw, 4.5rem) 0 clamp(1.5rem, 4vw, 3rem); }
header p { margin: 0.875rem 0 0; color: var(--quiet); font-size: 1.0625rem; }
h1, h2, h3, h4 { color: var(--strong); line-height: 1.25; text-wrap: balance; }
h1 { font-size: clamp(2rem, 1.5rem + 2vw, 2.75rem); font-weight: 600; letter-spacing: -0.02em; line-height: 1.2; margin: 0; }
h2 { font-size: 1.75rem; font-weight: 600; letter-spacing: -0.02em; margin: 0 0 1rem; }
h3 { font-size: 1.1875rem; font-weight: 600; letter-spacing: -0.01em; margin: 2.75rem 0 0.625rem; }
h2 + h3 { margin-top: 1.5rem; }
h4 { font-size: 0.875rem; font-weight: 600; margin: 1.75rem 0 0.5rem; }
p, ul { margin: 0 0 0.875rem; }
ul { padding-left: 1.375rem; }
li::marker { color: var(--quiet); }
main > .part { padding: 3.5rem 0; border-top: 1px solid var(--line); }
main > .part:first-child { padding-top: 0; border-top: 0; }
a { color: var(--accent); text-underline-offset: 0.2em; text-decoration-thickness: 1px; }
a:hover { text-decoration-thickness: 2px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 3px; border-radius: 4px; }
pre:focus-visible { outline-offset: -2px; }
.skip { position: absolute; left: -100rem; }
.skip:focus { left: 1rem; top: 1rem; padding: 0.5rem 1rem; background: var(--page); z-index: 2; }
nav { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; padding: 0.25rem 0 2rem 0.25rem; margin-left: -0.25rem; font-size: 0.875rem; line-height: 1.5; scrollbar-width: thin; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav > ul > li { margin-bottom: 1.25rem; }
nav a { display: block; padding: 0.1875rem 0; text-decoration: none; color: var(--quiet); overflow-wrap: anywhere; }
nav > ul > li > a { font-weight: 600; color: var(--strong); }
nav ul ul { border-left: 1px solid var(--line); }
nav ul ul a { padding-left: 0.875rem; margin-left: -1px; border-left: 1px solid transparent; }
nav a:hover { color: var(--accent); }
nav a[aria-current] { color: var(--accent); border-color: currentColor; }
code, pre, var { font-family: var(--mono); }
code { font-size: 0.875em; overflow-wrap: anywhere; }
p code, li code, td code { background: var(--raised); border-radius: 0.3em; padding: 0.125em 0.3em; -webkit-box-decoration-break: clone; box-decoration-break: clone; }
figure { margin: 0 0 1rem; border-radius: 0.625rem; background: var(--raised); overflow: hidden; }
figcaption { display: flex; align-items: center; justify-content: space-between; gap: 0.75rem; min-height: 2.5rem; padding: 0.25rem 0.5rem 0.25rem 1rem; border-bottom: 1px solid var(--page); color: var(--quiet); font-size: 0.8125rem; overflow-wrap: anywhere; }
pre { margin: 0; padding: 0.875rem 1rem; overflow-x: auto; font-size: 0.84375rem; line-height: 1.6; }
pre code { overflow-wrap: normal; font-size: 1em; }
button {
  font: inherit; font-size: 0.8125rem; min-height: 1.75rem; padding: 0 0.625rem; color: var(--text); background: none;
  border: 1px solid transparent; border-radius: 0.375rem; cursor: pointer;
}
figcaption button { color: var(--quiet); flex: none; }
button:hover { color: var(--accent); }
.operation + .operation { border-top: 1px solid var(--line); margin-top: 2.5rem; padding-top: 2.5rem; }
.operation > h3 { margin-top: 0; }
.part > p + .operation { padding-top: 1rem; }
.record > h3, .error > h3 { margin-top: 0; }
.record, .error { padding-top: 2rem; }
h2 + .record, h2 + .error { padding-top: 0.5rem; }
.address { font-size: 0.9375rem; line-height: 1.7; color: var(--strong); }
.address code { background: none; padding: 0; overflow-wrap: normal; }
.address var { font-style: normal; color: var(--variable); }
.method { font: 600 0.75rem/1.5 var(--mono); color: var(--method); background: var(--raised); border-radius: 0.375rem; padding: 0.1875rem 0.5rem; margin-right: 0.25rem; }
.note { color: var(--quiet); font-size: 0.9375rem; }
.scroll { overflow-x: auto; margin-bottom: 0.875rem; }
table { border-collapse: collapse; width: 100%; min-width: 30rem; font-size: 0.9375rem; line-height: 1.55; }
th, td { text-align: left; vertical-align: top; padding: 0.625rem 1rem 0.625rem 0; border-bottom: 1px solid var(--line); }
th { color: var(--quiet); font-weight: 500; font-size: 0.8125rem; padding-top: 0; }
td:first-child { white-space: nowrap; }
td:first-child code { overflow-wrap: normal; color: var(--strong); background: none; padding: 0; }
td:nth-child(2) { min-width: 8rem; }
.where { display: block; color: var(--quiet); font-size: 0.8125rem; }
.example { color: var(--quiet); display: block; }
.example::before { content: "such as "; }
details { margin-bottom: 0.75rem; }
summary { cursor: pointer; color: var(--quiet); font-size: 0.9375rem; padding: 0.25rem 0; width: fit-content; }
summary:hover { color: var(--accent); }
details[open] > summary { margin-bottom: 0.25rem; }
.try > summary { font-weight: 550; color: var(--strong); }
form { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0.625rem 1.25rem; align-items: center; padding: 1.25rem; background: var(--raised); border-radius: 0.875rem; }
form label, form > span { font-size: 0.875rem; }
form > label, form > span { font-weight: 550; color: var(--strong); }
form input:not([type=checkbox]), form select { font: inherit; font-size: 0.9375rem; min-height: 2.25rem; padding: 0.25rem 0.75rem; color: var(--strong); background: var(--page); border: 1px solid var(--edge); border-radius: 0.5rem; width: 100%; min-width: 0; }
form input::placeholder { color: var(--quiet); opacity: 1; }
.checks { display: flex; flex-wrap: wrap; gap: 0 1.25rem; }
.checks label { display: flex; align-items: center; gap: 0.5rem; min-height: 2rem; }
.checks input { width: 1.125rem; height: 1.125rem; margin: 0; accent-color: var(--accent); }
.actions { grid-column: 1 / -1; display: flex; flex-wrap: wrap; gap: 0.5rem 0.75rem; align-items: center; padding-top: 0.375rem; }
.actions button { font-size: 0.9375rem; font-weight: 550; min-height: 2.25rem; padding: 0 1rem; border-color: var(--edge); border-radius: 0.5rem; }
.actions .main { color: var(--page); background: var(--strong); border-color: var(--strong); }
.actions .main:hover { background: var(--text); }
.actions output { color: var(--quiet); font-size: 0.875rem; }
.result { grid-column: 1 / -1; min-width: 0; }
.result:empty { display: none; }
.result figure { background: var(--page); margin: 0.75rem 0 0; }
.result figcaption { border-color: var(--raised); font-family: var(--mono); }
.result pre { max-height: 26rem; overflow: auto; }
.result :first-child pre { max-height: 13rem; }
@media (max-width: 56rem) {
  html { scroll-padding-top: 4.5rem; }
  body { display: block; padding: 0 1.25rem 3rem; }
  nav { max-height: none; overflow-x: auto; overflow-y: hidden; padding: 0.625rem 1.25rem; margin: 0 -1.25rem 2rem; background: var(--page); border-bottom: 1px solid var(--line); z-index: 1; scrollbar-width: none; }
  nav > ul { display: flex; gap: 0.375rem; }
  nav > ul > li { margin: 0; }
  nav > ul > li > a { padding: 0.1875rem 0.75rem; border: 1px solid var(--line); border-radius: 9rem; font-weight: 400; color: var(--text); white-space: nowrap; }
  nav > ul > li > a[aria-current], nav > ul > li:has([aria-current]) > a { color: var(--page); background: var(--strong); border-color: var(--strong); }
  nav ul ul { display: none; }
  main > .part { padding: 2.5rem 0; }
}
@media (max-width: 40rem) {
  table, tbody, tr, td { display: block; min-width: 0; }
  thead { position: absolute; left: -100rem; }
  tr { padding: 0.75rem 0; border-bottom: 1px solid var(--line); }
  td, td:first-child { padding: 0.125rem 0; border: 0; white-space: normal; }
  td:first-child { display: flex; gap: 0.625rem; align-items: baseline; flex-wrap: wrap; }
  td:nth-child(2) { color: var(--quiet); font-size: 0.875rem; }
  form { grid-template-columns: minmax(0, 1fr); gap: 0.25rem; padding: 1rem; }
  form > label, form > span { margin-top: 0.5rem; }
}
@media print { nav, button, form, .skip { display: none; } body { display: block; } pre { white-space: pre-wrap; } }
`;
