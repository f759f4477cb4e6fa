/** Elements that a text may have (R71). None with a name of up to three letters runs, loads or asks for anything else. */
const TAGS =
  /^(\w{1,3}|abbr|code|mark|samp|small|strong|blockquote|table|thead|tbody|tfoot|caption|details|summary)$/;
/** Their attributes. */
const KEPT = /^(open|alt|dir|start|width|height|src="https:|href="(https?|mailto):)/i;
/** Loaded when it is seen, by a host that does not learn where. If it cannot be, or a policy forbids it, its text remains. */
export const PICTURE = {
  loading: 'lazy',
  referrerPolicy: 'no-referrer',
  alt: '',
  onerror() {
    this.replaceWith(this.alt);
  },
};
const CHARACTERS = { amp: '&', lt: '<', gt: '>', quot: '"' };

/**
 * An authored text, from HTML to elements: headings have this level, links lead to whole URLs. Made one by one, without a
 * parser of the browser: a page may forbid that one, and only these elements can come out, whatever the response is.
 */
export function authored(html, level) {
  const box = document.createElement('div');
  let parent = box;
  // A parser drops the first line break.
  for (const [token, end, tag, attributes] of html
    .replaceAll('<pre>\n', '<pre>')
    .matchAll(/<(\/?)(\w+)([^>]*)>|[^<]+/g)) {
    if (!tag) parent.append(textOf(token));
    else if (end) {
      if (parent.localName === tag) parent = parent.parentNode;
    } else if (TAGS.test(tag)) {
      const node = Object.assign(document.createElement(tag), tag === 'img' && PICTURE);
      for (const [, attribute, name, value = ''] of attributes.matchAll(/ (([^ =]+)(?:="([^"]*)")?)/g))
        if (KEPT.test(attribute)) node.setAttribute(name, textOf(value));
      if (tag === 'a') node.target = '_blank';
      if (/^h\d/.test(tag)) node.ariaLevel = level;
      // Not every browser lets the keyboard scroll what is too wide.
      if (/^(pre|table)/.test(tag)) node.tabIndex = 0;
      parent.append(tag === 'img' && !node.src ? node.alt : node);
      if (!/^(img|[bh]r)/.test(tag)) parent = node;
    }
  }
  return box;
}

const textOf = (html) => html.replace(/&(amp|lt|gt|quot|#39);/g, (_, name) => CHARACTERS[name] ?? "'");
