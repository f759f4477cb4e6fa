// The style sheets, which are files in `styles`.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { accentColours } from '../../domain/accent.ts';
import { PRODUCT_RULES } from '../../domain/content/appearance.ts';
import { ROOT } from '../../root.ts';
import type { Site } from './views.ts';

/** The pages' style sheet. */
export const STYLE = readStyles('pages', 'shared');

/** In this order. Enough for these sheets, whose only significant spaces are in font names. */
export function readStyles(...names: readonly string[]): string {
  return names
    .map((name) => readFileSync(path.join(ROOT, 'styles', `${name}.css`), 'utf8'))
    .join('')
    .replaceAll(/\/\*.*?\*\//gs, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([{};,>/]) ?|([(:]) | (?=\))/g, '$1$2')
    .replaceAll(/;(?=\})|(?<!\d)0(?=\.\d)/g, '')
    .trim();
}

/** Three lines of text. */
export const ICON_PATH = 'M2 4h12M2 8h12M2 12h7';
/** Its characters need no escaping in an attribute. */
export const ICON =
  `data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath stroke='%230a58ca' stroke-width='2' d='${ICON_PATH}'/%3E%3C/svg%3E`.replaceAll(
    ' ',
    '%20',
  );

/** Ours, then the product's accent colour, then the operator's sheet, which may override both. */
export function sheetFor({ extraCss }: Pick<Site, 'extraCss'>, accent: string | null): string {
  return STYLE + writeAccent(accent) + extraCss;
}

/** Checked again: a value written by SQL could end the style sheet, and the policy would allow it. */
export function writeAccent(accent: string | null): string {
  const colours = coloursOf(accent);
  return colours === null ? '' : `:root{--accent:${colours}}`;
}

/** For light and dark. */
export function coloursOf(accent: string | null): string | null {
  const colour = accent === null ? null : PRODUCT_RULES.accent.read(accent);
  if (colour === null) return null;
  const { light, dark } = accentColours(colour);
  return `light-dark(${light},${dark})`;
}
