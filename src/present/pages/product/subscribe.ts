// The feeds of a product behind one button: all changes, some of them, and what a page shows.
import { type Html, html } from '../../html/template.ts';
import type { PageLinks } from '../../links.ts';
import { linkedOutputs, type NamedOutput } from '../../outputs/output.ts';
import { fill, type Locale } from '../../words/locale.ts';
import { NOTHING } from '../document.ts';

type Subscription = Readonly<{
  outputs: readonly NamedOutput[];
  links: Pick<PageLinks, 'file'>;
  /** The page's own filters, `?…` or empty. */
  query: string;
  /** The files of a static site have no filters. */
  isStatic: boolean;
  locale: Locale;
}>;

/** The first format is the one to take; the others are for readers that need them. */
export function writeSubscribe({ outputs, links, query, isStatic, locale }: Subscription): Html {
  const { subscribe, filters } = locale.words;
  const [first, ...others] = linkedOutputs(outputs).filter(({ isWhole }) => !isWhole);
  if (first === undefined) return NOTHING;
  const known = [
    { text: subscribe.all, of: '' },
    { text: subscribe.security, of: '?type=security' },
    { text: subscribe.breaking, of: '?breaking=true' },
  ];
  const isOther = known.every(({ of }) => of !== query);
  const choices = isStatic
    ? known.slice(0, 1)
    : [...(isOther ? [{ text: subscribe.filtered, of: query }] : []), ...known];
  const linkTo = (file: string, of: string) =>
    html` href="${links.file(file)}${of}"${of !== '' && html` rel="nofollow"`}`;
  const items = choices.map(
    ({ text, of }) => html`<li><a${linkTo(first.file, of)}>${text}</a>
${others.map(({ file, label }) => html`<a${linkTo(file, of)} aria-label="${fill(filters.fieldValue, { field: text, value: label })}">${label}</a>`)}</li>`,
  );
  return html`<details class="menu">
<summary>${subscribe.button}</summary>
<div><ul>
${items}
</ul></div>
</details>`;
}
