// What a product is recognised by: its logo, or else the first letter of its name in its colour.
import { type Html, html } from '../../html/template.ts';
import { NOTHING } from '../document.ts';
import { coloursOf } from '../style.ts';

type Marked = Readonly<{ productName: string; logo: string | null; accent: string | null }>;

export function writeMark({ productName, logo, accent }: Marked): Html {
  const image = writeLogo(logo);
  if (image !== NOTHING) return image;
  const [initial = ''] = productName;
  return html`<svg class="logo" viewBox="0 0 40 40" aria-hidden="true"${colourOf(accent)}><rect width="40" height="40" fill="currentColor"/><text x="20" y="27">${initial}</text></svg>`;
}

export function writeLogo(logo: string | null): Html {
  if (logo === null || !/^(?:https:|data:image\/)/i.test(logo)) return NOTHING;
  return html`<img class="logo" src="${logo}" alt="" width="40" height="40" referrerpolicy="no-referrer">`;
}

/** An attribute: the policy allows one style sheet, which is the same for all lists. */
function colourOf(accent: string | null): Html {
  const colours = coloursOf(accent);
  return colours === null ? NOTHING : html` color="${colours}"`;
}
