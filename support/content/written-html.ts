// Reads the HTML of a text as the program writes it, which is much stricter than HTML may be: all that it can have is
// listed here, and is where a browser keeps it.
import assert from 'node:assert/strict';

/** Text, or the tag, the attributes and the content of an element. */
export type WrittenNode =
  | string
  | readonly [tag: string, attributes: Readonly<Record<string, string>>, children: readonly WrittenNode[]];

/** In `html` fields and feeds, or on pages. */
export type Place = 'field' | 'page';

const names = (list: string) => new Set(list.split(' '));
const HEADINGS = 'h1 h2 h3 h4 h5 h6';
const INLINE = names('b strong i em s del ins mark small sub sup kbd samp var abbr code a img br');
const BLOCKS = names(`${HEADINGS} p pre blockquote hr ul ol dl table details div`);
const VOID = names('br hr img');

/** What is directly inside an element besides blanks; all others have only what is in a line. */
const CONTENT: Readonly<Record<string, ReadonlySet<string>>> = {
  ...{ '': BLOCKS, blockquote: BLOCKS, details: BLOCKS.union(names('summary')), div: names('table') },
  ...{ ul: names('li'), ol: names('li'), dl: names('dt dd'), table: names('caption thead tbody tfoot') },
  ...{ thead: names('tr'), tbody: names('tr'), tfoot: names('tr'), tr: names('th td') },
};
const FLOW = names('li dd th td');

const ANY = /^/;
const TARGET = /^(?:https?:|mailto:|(?![a-z][a-z0-9.+-]*:|[/\\]{2}))/i;
const ALIGNMENT = /^(?:text-align:)?(?:left|center|right)$/;
const COMMON: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  a: { href: TARGET, title: ANY, rel: /^noopener nofollow$/, dir: /^ltr$/ },
  img: { src: TARGET, alt: ANY, title: ANY, width: /^\d+$/, height: /^\d+$/ },
  ol: { start: /^\d+$/ },
  details: { open: /^$/ },
  code: { dir: /^ltr$/ },
};
const ATTRIBUTES: Readonly<Record<Place, typeof COMMON>> = {
  field: { ...COMMON, th: { style: ALIGNMENT }, td: { style: ALIGNMENT } },
  page: {
    ...COMMON,
    a: { ...COMMON.a, 'aria-label': ANY },
    img: {
      ...COMMON.img,
      src: /^https:/,
      ...{ loading: /^lazy$/, decoding: /^async$/, referrerpolicy: /^no-referrer$/ },
    },
    th: { scope: /^col$/, class: ALIGNMENT },
    td: { class: ALIGNMENT },
    pre: { tabindex: /^0$/ },
    div: { class: /^scroll$/, role: /^group$/, 'aria-label': ANY, tabindex: /^0$/ },
  },
};

const TAG = /<(\/?)([a-z][a-z\d]*)((?: [a-z-]+(?:="[^"<>]*")?)*)>/g;
const ATTRIBUTE = / ([a-z-]+)(?:="([^"]*)")?/g;

/** Fails if it has anything else. */
export function readWritten(html: string, place: Place = 'field'): readonly WrittenNode[] {
  const root: WrittenNode[] = [];
  const open: { tag: string; children: WrittenNode[] }[] = [{ tag: '', children: root }];
  const addText = (text: string) => {
    const { tag, children } = open.at(-1) as (typeof open)[number];
    assert.doesNotMatch(text, /[<>]|&(?!amp;|lt;|gt;)/, html);
    assert.ok(!(tag in CONTENT) || text.trim() === '', `text directly in <${tag}>: ${html}`);
    // The first line break of `pre` is not part of it.
    const shown = tag === 'pre' && children.length === 0 ? text.replace(/^\n/, '') : text;
    if (shown !== '') children.push(asRead(shown));
  };
  let end = 0;
  for (const { 0: written, 1: slash, 2: tag = '', 3: attributes = '', index } of html.matchAll(TAG)) {
    addText(html.slice(end, index));
    end = index + written.length;
    if (slash === '/') {
      assert.equal(open.pop()?.tag, tag, html);
      continue;
    }
    const tags = open.map((element) => element.tag);
    assert.ok(isAllowed(tag, tags), `<${tag}> in <${tags.join('><')}>: ${html}`);
    const children: WrittenNode[] = [];
    open.at(-1)?.children.push([tag, attributesIn(tag, attributes, place), children]);
    if (!VOID.has(tag)) open.push({ tag, children });
  }
  addText(html.slice(end));
  assert.equal(open.length, 1, html);
  return root;
}

function isAllowed(tag: string, around: readonly string[]): boolean {
  const parent = around.at(-1) ?? '';
  if (tag === 'a' && around.includes('a')) return false;
  if (parent in CONTENT) return CONTENT[parent]?.has(tag) === true;
  if (INLINE.has(tag)) return true;
  return FLOW.has(parent) ? BLOCKS.has(tag) : parent === 'summary' && names(HEADINGS).has(tag);
}

function attributesIn(tag: string, written: string, place: Place): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const [, name = '', value = ''] of written.matchAll(ATTRIBUTE)) {
    assert.ok(!(name in attributes), `<${tag}${written}>`);
    attributes[name] = asRead(value);
    assert.match(attributes[name], ATTRIBUTES[place][tag]?.[name] ?? /$.^/, `<${tag}${written}>`);
  }
  assert.ok(tag !== 'a' || (attributes.href !== undefined && attributes.rel !== undefined), written);
  return attributes;
}

/** As browsers read it. */
export function asRead(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replaceAll(/\r\n?/g, '\n');
}
