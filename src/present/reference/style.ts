// The style sheet of the page. It must not contain `</style`.

const GLYPH =
  "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><rect width='16' height='16' rx='4' fill='%230a58ca'/><path d='M4 5h8M4 8h8M4 11h5' stroke='white' stroke-width='1.6' stroke-linecap='round'/></svg>";

export const ICON = `data:image/svg+xml,${GLYPH}`;

export const STYLE = `
:root {
  color-scheme: light dark;
  --page: #ffffff; --raised: #f6f8fa; --line: #d8dee4; --text: #1c2128; --quiet: #57606a;
  --link: #0a58ca; --method: #116329; --method-page: #dafbe1; --variable: #953800;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0f1318; --raised: #171c23; --line: #2d343d; --text: #e3e7ec; --quiet: #9ba5b1;
    --link: #79b4ff; --method: #6fdd8b; --method-page: #12301c; --variable: #ffb27a;
  }
}
* { box-sizing: border-box; }
html { scroll-behavior: smooth; scroll-padding-top: 1.5rem; -webkit-text-size-adjust: 100%; }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
body {
  margin: 0 auto; max-width: 82rem; padding: 0 2rem 4rem; background: var(--page); color: var(--text);
  font: 1rem/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  display: grid; grid-template-columns: 15rem minmax(0, 1fr); column-gap: 3.5rem;
}
header { grid-column: 1 / -1; padding: 2.5rem 0 1.5rem; border-bottom: 1px solid var(--line); margin-bottom: 1.5rem; }
header p { margin: 0.25rem 0 0; color: var(--quiet); }
h1, h2, h3, h4 { line-height: 1.25; text-wrap: balance; }
h1 { font-size: 2rem; margin: 0; letter-spacing: -0.02em; }
h2 { font-size: 1.6rem; margin: 0 0 0.75rem; letter-spacing: -0.015em; }
h3 { font-size: 1.15rem; margin: 2rem 0 0.5rem; }
h4 { font-size: 0.8rem; margin: 1.5rem 0 0.5rem; color: var(--quiet); text-transform: uppercase; letter-spacing: 0.05em; }
p, ul { margin: 0 0 0.75rem; }
main > .part { padding-bottom: 2.5rem; margin-bottom: 2.5rem; border-bottom: 1px solid var(--line); max-width: 54rem; }
main > .part:last-child { border-bottom: 0; }
a { color: var(--link); text-underline-offset: 0.15em; text-decoration-thickness: 1px; }
a:hover { text-decoration-thickness: 2px; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 4px; }
.skip { position: absolute; left: -100rem; }
.skip:focus { left: 1rem; top: 1rem; padding: 0.5rem 1rem; background: var(--page); z-index: 1; }
nav { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; padding: 0.5rem 0 2rem; font-size: 0.9rem; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav > ul > li { margin-bottom: 1rem; }
nav > ul > li > a { font-weight: 600; color: var(--text); }
nav ul ul { margin-top: 0.25rem; border-left: 1px solid var(--line); }
nav ul ul a { display: block; padding: 0.15rem 0 0.15rem 0.8rem; color: var(--quiet); overflow-wrap: anywhere; }
nav a { text-decoration: none; }
nav a:hover { color: var(--link); text-decoration: underline; }
code, pre, var { font-family: ui-monospace, SFMono-Regular, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace; }
code { font-size: 0.875em; overflow-wrap: anywhere; }
p code, li code, td code { background: var(--raised); border-radius: 4px; padding: 0.1em 0.3em; }
pre { margin: 0; padding: 0.9rem 1rem; overflow-x: auto; background: var(--raised); border: 1px solid var(--line); border-radius: 8px; font-size: 0.84rem; line-height: 1.55; }
pre code { overflow-wrap: normal; font-size: 1em; }
figure { margin: 0 0 0.75rem; border: 1px solid var(--line); border-radius: 8px; background: var(--raised); overflow: hidden; }
figcaption { display: flex; align-items: center; justify-content: space-between; gap: 0.75rem; min-height: 2.25rem; padding: 0.2rem 0.4rem 0.2rem 1rem; border-bottom: 1px solid var(--line); color: var(--quiet); font-size: 0.8rem; }
figure pre { border: 0; border-radius: 0; }
button {
  font: inherit; font-size: 0.8rem; padding: 0.2rem 0.7rem; color: var(--text); background: var(--page);
  border: 1px solid var(--line); border-radius: 6px; cursor: pointer;
}
button:hover { border-color: var(--quiet); }
.operation { padding: 1.5rem 0 0.5rem; }
.operation + .operation { border-top: 1px dashed var(--line); margin-top: 1.5rem; }
.operation > h3, .record > h3, .error > h3 { margin-top: 0; }
.record, .error { padding-top: 1.75rem; }
.address { padding: 0.6rem 0.8rem; border: 1px solid var(--line); border-radius: 8px; background: var(--raised); }
.address code { background: none; padding: 0; overflow-wrap: normal; }
.address var { font-style: normal; color: var(--variable); }
.method { font-size: 0.75rem; font-weight: 700; color: var(--method); background: var(--method-page); border-radius: 4px; padding: 0.15rem 0.45rem; margin-right: 0.25rem; }
.note { color: var(--quiet); font-size: 0.925rem; }
.scroll { overflow-x: auto; margin-bottom: 0.75rem; }
table { border-collapse: collapse; width: 100%; min-width: 30rem; font-size: 0.9rem; }
th, td { text-align: left; vertical-align: top; padding: 0.5rem 0.9rem 0.5rem 0; border-bottom: 1px solid var(--line); }
th { color: var(--quiet); font-weight: 600; }
td:first-child { white-space: nowrap; }
td:first-child code { overflow-wrap: normal; }
td:nth-child(2) { min-width: 8rem; }
.where { display: block; color: var(--quiet); font-size: 0.8rem; }
.example { color: var(--quiet); display: block; }
.example::before { content: "such as "; }
details { margin-bottom: 0.75rem; }
summary { cursor: pointer; color: var(--quiet); font-size: 0.925rem; margin-bottom: 0.5rem; }
form { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0.5rem 0.75rem; align-items: center; padding: 1rem; border: 1px solid var(--line); border-radius: 8px; margin-bottom: 0.75rem; }
form label { font-size: 0.875rem; }
form input { font: inherit; font-size: 0.875rem; padding: 0.3rem 0.5rem; color: var(--text); background: var(--page); border: 1px solid var(--line); border-radius: 6px; width: 100%; min-width: 0; }
form button { justify-self: start; }
form output { grid-column: 1 / -1; }
form output:empty { display: none; }
form output pre { max-height: 24rem; overflow: auto; }
@media (max-width: 52rem) {
  body { display: block; padding: 0 1rem 3rem; }
  header { padding: 1.5rem 0 1rem; margin-bottom: 1rem; }
  h1 { font-size: 1.6rem; }
  h2 { font-size: 1.35rem; }
  nav { position: static; max-height: none; padding: 0; margin-bottom: 1.5rem; }
  nav > ul { display: flex; flex-wrap: wrap; gap: 0.4rem; }
  nav > ul > li { margin: 0; }
  nav > ul > li > a { display: block; padding: 0.3rem 0.8rem; border: 1px solid var(--line); border-radius: 99px; font-weight: 500; }
  nav ul ul { display: none; }
}
@media (max-width: 40rem) {
  table, tbody, tr, td { display: block; min-width: 0; }
  thead { position: absolute; left: -100rem; }
  tr { padding: 0.6rem 0; border-bottom: 1px solid var(--line); }
  td, td:first-child { padding: 0.1rem 0; border: 0; white-space: normal; }
  td:first-child { display: flex; gap: 0.6rem; align-items: baseline; flex-wrap: wrap; }
  td:nth-child(2) { color: var(--quiet); font-size: 0.85rem; }
}
@media print { nav, button, form, .skip { display: none; } body { display: block; } }
`;
