// A badge with the latest version (R56): for shields, which draws it from JSON, and as an image of its own.
import { accentColours } from '../domain/accent.ts';
import { PRODUCT_RULES } from '../domain/content/appearance.ts';
import { isPrerelease } from '../domain/version-order.ts';
import type { LatestRow } from '../store/read/find-version.ts';
import data from './badge.json' with { type: 'json' };
import { element } from './outputs/xml.ts';

/** The shortest time that shields caches a badge. */
const CACHE_SECONDS = 300;
export const DEFAULT_LABEL = 'changelog';

/** All have a contrast of 4.5 or more with white. */
const COLOURS = {
  text: '#ffffff',
  label: '#434b55',
  none: '#5b6470',
  yanked: '#ae1a1f',
  usual: '#0a58ca',
  prerelease: '#9a5200',
};

export function presentBadge(
  { head, latest }: Pick<LatestRow, 'latest'> & Readonly<{ head: Pick<LatestRow['head'], 'accent'> }>,
  label: string = DEFAULT_LABEL,
) {
  return {
    schemaVersion: 1,
    label: onOneLine(label),
    message: latest === null ? 'none yet' : onOneLine(latest.label) + (latest.isYanked ? ' (yanked)' : ''),
    color: colourOf(latest, head.accent),
    cacheSeconds: CACHE_SECONDS,
  };
}

/** Labels have no line breaks, unless they were written by plain SQL. */
export function onOneLine(label: string): string {
  return label.toWellFormed().replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\ufffe\uffff]/gu, ' ');
}

function colourOf(latest: LatestRow['latest'], accent: string | null): string {
  if (latest === null) return COLOURS.none;
  if (latest.isYanked) return COLOURS.yanked;
  if (isPrerelease(latest.label)) return COLOURS.prerelease;
  const own = accent === null ? null : PRODUCT_RULES.accent.read(accent);
  return own === null ? COLOURS.usual : accentColours(own).light;
}

const HEIGHT = 20;
const PADDING = 6;

/** Loads nothing. Whatever the font, each text is as wide as its half expects. */
export function writeBadgeSvg({ label, message, color }: ReturnType<typeof presentBadge>): string {
  const [left, right] = [sizeOf(label), sizeOf(message)];
  const width = left + right;
  const half = (words: string, start: number, size: number) =>
    element(
      'text',
      words,
      ` x="${start + size / 2}" y="14" textLength="${size - 2 * PADDING}" lengthAdjust="spacingAndGlyphs"`,
    );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${HEIGHT}" viewBox="0 0 ${width} ${HEIGHT}" role="img">
${element('title', `${label}: ${message}`)}
<rect width="${width}" height="${HEIGHT}" rx="3" fill="${color}"/><path d="M3 0h${left - 3}v20H3a3 3 0 0 1-3-3V3a3 3 0 0 1 3-3z" fill="${COLOURS.label}"/>
<g fill="${COLOURS.text}" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">
${half(label, 0, left)}
${half(message, left, right)}
</g>
</svg>
`;
}

/** Characters by their width in Verdana, and fonts like it, at 11 pixels. */
const WIDTHS = new Map(
  Object.entries(data.widths).flatMap(([width, characters]) =>
    [...characters].map((each) => [each, Number(width)]),
  ),
);
/** Digits, and most letters of other alphabets. */
const USUAL_WIDTH = 7;
const WIDE_WIDTH = 12;
const WIDE =
  /\p{Emoji_Presentation}|[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\u3000-\u303f\uff01-\uff60]/u;
/** Emoji that are joined count as one. */
const NO_WIDTH = /[\p{M}\p{Cf}]|(?<=\u200d)./gu;

/** Of a half. */
function sizeOf(words: string): number {
  const widths = [...words.replaceAll(NO_WIDTH, '')].map((each) =>
    WIDE.test(each) ? WIDE_WIDTH : (WIDTHS.get(each) ?? USUAL_WIDTH),
  );
  return Math.ceil(widths.reduce((sum, width) => sum + width, 0)) + 2 * PADDING;
}
