// The page of the demo on which the widget can be tried. Its policy is as strict as that of a careful host.
import { type Html, html } from '../html/template.ts';
import { productPath } from '../page-paths.ts';
import { frame, NOTHING } from '../pages/document.ts';
import { sheetFor } from '../pages/style.ts';
import type { Site } from '../pages/views.ts';

type DemoPage = Readonly<{ html: string; policy: string }>;

const PAGE_PATH = productPath({ teamSlug: 'acme', productSlug: 'rocket' });

const STYLE = `
.corner { position: fixed; inset-block-end: 1.25rem; inset-inline-end: 1.25rem; padding: .5rem 1rem; background: var(--page); border: 1px solid var(--edge); border-radius: 2rem; box-shadow: 0 .25rem 1rem #0003; font-weight: 600; }
.corner:empty, .place:empty { display: none; }
.fields[hidden] { visibility: hidden; }
@media (scripting: none) { .fields[hidden] { display: none; } }
.place { border: 1px solid var(--line); border-radius: .75rem; margin-top: 1.25rem; }
.part { border-top: 1px solid var(--line); padding-block: 2rem; }
.part h2 { font-size: 1.25rem; margin-bottom: .75rem; }
.part p { margin-top: .75rem; max-width: 40rem; }
.heard { margin-top: .75rem; padding: .75rem 1rem; min-height: 8.5rem; background: var(--raised); border-radius: .375rem; font: .875rem/1.5 var(--mono); }
.buttons { display: flex; flex-wrap: wrap; gap: .5rem; }
.buttons button { white-space: normal; }
html { scroll-padding-bottom: 5rem; }
main { padding-bottom: 5rem; }
`;

export function writeDemoPage(site: Site): DemoPage {
  const styled = { ...site, extraCss: STYLE + site.extraCss };
  const { start, end } = frame({
    site: styled,
    head: null,
    title: 'Try the widget',
    description: 'What is new, inside your own product.',
    canonical: null,
    isIndexed: false,
    top: site.hasHomePage
      ? html`<header class="top">\n<a href="./"><span aria-hidden="true">←</span> All products</a>\n</header>`
      : NOTHING,
    footer: NOTHING,
    start: writeContent(site),
  });
  return { html: start + end, policy: policyFor(styled) };
}

/** That of the pages, and scripts of this origin. */
function policyFor(site: Site): string {
  const { policy } = sheetFor(site, null);
  return policy.replace("default-src 'none';", "default-src 'none'; script-src 'self';");
}

const widget = (href: string, more = '') => `<whats-new team="acme" product="rocket"${more}>
  <a href="${href}">What's new</a>
</whats-new>`;

function writeContent({ baseUrl }: Site): Html {
  const snippet = `<script type="module" src="${baseUrl}/widget.js"></script>\n\n${widget(baseUrl + PAGE_PATH)}`;
  return html`<div class="hero">
<h1>Try the widget</h1>
<p class="lede">It tells visitors what is new, inside your own product, and how many versions they have not seen. Click <b>What's new</b> in the corner below.</p>
</div>
<fieldset class="fields" hidden>
<legend class="sr">Settings of the widget</legend>
${writeChoice('mode', 'Mode', { popover: 'Popover', modal: 'Modal', inline: 'Inline' })}
${writeChoice('version', "Visitor's version", { '': 'Unknown', '2.1.0': '2.1.0', '2.0.0': '2.0.0', '1.4.2': '1.4.2' })}
${writeChoice('dir', 'Text direction', { ltr: 'Left to right', rtl: 'Right to left' })}
${writeChoice('scheme', 'Colours', { 'light dark': 'System', light: 'Light', dark: 'Dark' })}
<div class="wide buttons">
<button type="button" id="publish">Pretend there is a new version</button>
<button type="button" id="forget">Forget what I have seen</button>
</div>
</fieldset>
<div class="place"></div>
<section class="part" aria-labelledby="copy">
<h2 id="copy">Copy and paste</h2>
<pre tabindex="0"><code id="snippet">${snippet}</code></pre>
<p>Without JavaScript, the link stays a link.</p>
</section>
<section class="part" aria-labelledby="hear">
<h2 id="hear">What your page hears</h2>
<p>The element sends events. The newest is first.</p>
<div class="heard" role="log" aria-labelledby="hear">
<ul id="heard"></ul>
</div>
</section>
<section class="part" aria-labelledby="strict">
<h2 id="strict">On a strict page</h2>
<p>The policy of this page allows scripts and requests of its own origin and nothing else: no inline style, no Trusted Types. The widget needs no more than that.</p>
</section>
<div class="corner">${{ html: widget(PAGE_PATH.slice(1), ' first') }}</div>
<script type="module" src="widget.js"></script>
<script type="module" src="demo.js"></script>`;
}

function writeChoice(name: string, label: string, options: Readonly<Record<string, string>>): Html {
  const written = Object.entries(options).map(
    ([value, text]) => html`<option value="${value}">${text}</option>`,
  );
  return html`<label>${label}
<select class="field" name="${name}">
${written}
</select></label>`;
}
