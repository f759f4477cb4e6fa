// Inline markup of AsciiDoc: attributes, links, cross references, macros and bold text.
import { escapeTags, INLINE_CHARACTERS_MAX, link, outsideCode } from './inline.ts';

export function convertAsciidocInline(text: string, attributes: ReadonlyMap<string, string>): string {
  if (text.length > INLINE_CHARACTERS_MAX) return text;
  const expanded = withAttributes(text, attributes).replaceAll(CODE_PASS, '`$1`');
  return outsideCode(expanded.replaceAll(LINK, convertLink), convertPlain);
}

/** `+code+` and ``+code+`` show what is between. */
const CODE_PASS = /`\+([^`+\n]{1,500})\+`/g;
const ATTRIBUTE = /(?<!\\)\{([\w-]{1,100})\}/g;
const EXPANSIONS_MAX = 3;

/** The value of an attribute may use others. */
export function withAttributes(text: string, attributes: ReadonlyMap<string, string>): string {
  let expanded = text;
  for (let round = 0; round < EXPANSIONS_MAX && expanded.includes('{'); round++) {
    if (expanded.length > INLINE_CHARACTERS_MAX) return expanded;
    expanded = expanded.replaceAll(ATTRIBUTE, (whole, name) => attributeOf(attributes, name) ?? whole);
  }
  return expanded;
}

const CHARACTERS: Readonly<Record<string, string>> = {
  empty: '',
  nbsp: ' ',
  sp: ' ',
  plus: '+',
  asterisk: '\\*',
};

function attributeOf(attributes: ReadonlyMap<string, string>, name: string): string | undefined {
  return attributes.get(name) ?? (Object.hasOwn(CHARACTERS, name) ? CHARACTERS[name] : undefined);
}

/** Code, which stays, and what links: `link:url[text]`, `https://…[text]`, `xref:id[text]`, `<<id,text>>`. */
const LINK =
  /`[^`\n]{1,1000}`|(?<!\w)(?:link:|(?=https?:\/\/|mailto:))([^\s[\]<>`]{1,1000})\[([^\]\n]{0,500})\]|xref:[^\s[\]]{1,300}\[([^\]\n]{0,300})\]|<<([^<>,\n]{1,300})(?:,\s*([^<>\n]{1,300}))?>>/g;

function convertLink(
  whole: string,
  url: string | undefined,
  shown = '',
  crossShown: string | undefined,
  target: string | undefined,
  targetShown: string | undefined,
): string {
  if (url !== undefined) return link(textOf(shown) || url, url);
  if (crossShown !== undefined) return textOf(crossShown) || whole;
  return targetShown ?? target ?? whole;
}

const IMAGE = /image:(?!:)([^\s[\]]{1,500})\[([^\]\n]{0,300})\]/g;
const FOOTNOTE = /footnote:[\w-]{0,100}\[([^\]\n]{1,500})\]/g;
const SHOWN_MACRO = /(?<!\w)(?:kbd|btn|menu|pass|stem):[a-z,]{0,20}\[([^\]\n]{1,300})\]/g;
/** A macro of the project: `issue:123[]` */
const NUMBERED_MACRO = /(?<!\w)([A-Za-z]\w{0,30}):(\d{1,9})\[\]/g;
const ISSUE = /(?:issue|pull|pr|bug|ticket)s?$/i;
const ICON = /(?<!\w)icon:[\w-]{1,60}\[[^\]\n]{0,100}\]/g;
const ANCHOR = /\[\[[\w.:-]{1,100}(?:,[^\]\n]{0,100})?\]\]/g;
const ROLE = /\[[.#][\w .#-]{1,60}\]#([^#\n]{1,300})#/g;
const BOLD = /(?<![\w*\\])\*(?![\s*])([^*\n]{1,500}?)(?<!\s)\*(?![\w*])/g;

function convertPlain(text: string): string {
  const linked = text
    .replaceAll(IMAGE, (whole, url, alt) => (/^https?:/.test(url) ? `!${link(alt, url)}` : whole))
    .replaceAll(NUMBERED_MACRO, (_, name, number) => (ISSUE.test(name) ? `#${number}` : `${name}:${number}`))
    .replaceAll(FOOTNOTE, ' ($1)')
    .replaceAll(SHOWN_MACRO, '$1')
    .replaceAll(ICON, '')
    .replaceAll(ANCHOR, '')
    .replaceAll(ROLE, '$1')
    .replaceAll(BOLD, '**$1**')
    .replace(/ \+$/, '\\');
  return escapeTags(linked);
}

/** `text^,window=_blank` */
function textOf(shown: string): string {
  const quoted = /^"([^"]*)"/.exec(shown)?.[1];
  return (quoted ?? shown.replace(/,\s*[\w-]+=.*$/, '')).replace(/\^$/, '').trim();
}
