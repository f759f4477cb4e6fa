/** Elements that Markdown becomes, and their attributes. Those of images are not among them: none is loaded. */
const TAGS = /^(a|p|[bht]r|blockquote|pre|code|em|strong|s|[uo]l|li|h\d|table|thead|tbody|t[hd])$/;
const ATTRIBUTES = / (href|start|dir)="([^"]*)"/g;
const CHARACTERS = { amp: '&', lt: '<', gt: '>', quot: '"' };

/**
 * The HTML of a change, as elements: headings have this level, links lead to whole URLs. Made one by one, without a parser
 * of the browser: a page may forbid that one, and nothing else than these elements can come out, whatever the response is.
 */
export function authored(html, level) {
  const box = document.createElement('div');
  let parent = box;
  for (const [token, end, tag, attributes] of html.matchAll(/<(\/?)(\w+)([^>]*)>|[^<]+/g)) {
    if (!tag) parent.append(textOf(token));
    else if (end) {
      if (parent.localName === tag) parent = parent.parentNode;
    } else if (TAGS.test(tag)) {
      const node = document.createElement(tag);
      for (const [, name, value] of attributes.matchAll(ATTRIBUTES))
        if (name !== 'href' || /^(https?|mailto):/i.test(value)) node.setAttribute(name, textOf(value));
      if (tag === 'a') node.target = '_blank';
      if (/^h\d/.test(tag)) node.ariaLevel = level;
      // Not every browser lets the keyboard scroll what is too wide.
      if (/^(pre|table)/.test(tag)) node.tabIndex = 0;
      parent.append(node);
      if (!/^[bh]r/.test(tag)) parent = node;
    }
  }
  return box;
}

const textOf = (html) => html.replace(/&(amp|lt|gt|quot|#39);/g, (_, name) => CHARACTERS[name] ?? "'");
