// Products as cards: who it is, and what is new.
import { isDayOf } from '../../../domain/timestamp.ts';
import type { ListedProduct } from '../../../store/read/lists/listing.ts';
import { type Html, html } from '../../html/template.ts';
import type { ListLinks } from '../../links.ts';
import { isOnlyLabel } from '../../outputs/entry-title.ts';
import { fill, type Locale } from '../../words/locale.ts';
import { authored, cut, writeDate, writeLabel } from '../document.ts';
import { writeMark } from './mark.ts';

/** About two lines. */
const CHANGE_CHARACTERS_MAX = 80;

type Cards = Readonly<{
  /** The heading level of names. */
  level: 2 | 3;
  /** Whether each card names the team. */
  hasTeams: boolean;
  links: ListLinks;
  page: Locale;
}>;

export function writeCards(products: readonly ListedProduct[], cards: Cards): Html {
  return html`<ul class="items">\n${products.map((product) => writeCard(product, cards))}\n</ul>`;
}

/** Newest first, if these are all there are; pages of a list are in the order of their names. */
export function newestFirst(products: readonly ListedProduct[]): ListedProduct[] {
  const timeOf = ({ newest }: ListedProduct) => newest?.publishedAt ?? '';
  return products.toSorted((one, other) => (timeOf(one) < timeOf(other) ? 1 : -1));
}

function writeCard(product: ListedProduct, { level, hasTeams, links, page }: Cards): Html {
  const { productName, language, newest } = product;
  const text = authored(page, language);
  const name = html`<a href="${links.changelog(product)}"${text}>${productName}</a>`;
  return html`<li class="item">
<div class="name">
${writeMark(product)}
<div>
${level === 2 ? html`<h2>${name}</h2>` : html`<h3>${name}</h3>`}
${hasTeams && html`<p${text}>${product.teamName}</p>`}
</div>
</div>
${newest === null ? html`<p class="newest">${page.words.empty.nothingYet}</p>` : writeNewest(newest, product, links, page)}
</li>`;
}

function writeNewest(
  newest: NonNullable<ListedProduct['newest']>,
  product: ListedProduct,
  links: ListLinks,
  page: Locale,
): Html {
  const { title, publishedAt } = newest;
  const { language, newestChanges = [] } = product;
  const { types, filters } = page.words;
  const items = newestChanges.map(({ type, text }) => {
    const name = fill(filters.fieldValue, { field: types[type], value: '' });
    return html`<li class="dot ${type}"><span class="sr">${name}</span><span${authored(page, language)}>${cut(text, CHANGE_CHARACTERS_MAX)}</span></li>`;
  });
  return html`<p class="newest"><a href="${links.version(product, newest)}" class="label" dir="auto">${writeLabel(newest, { className: 'date' })}</a>${publishedAt !== null && !isDayOf(newest) && html` ${writeDate(publishedAt, page, { language, className: 'date' })}`}</p>
${!isOnlyLabel(newest) && html`<p class="about"${authored(page, language)}>${title}</p>`}
${items.length > 0 && html`<ul>\n${items}\n</ul>`}`;
}
