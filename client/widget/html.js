import { element } from './elements.js';

let policy;
/** Elements that Markdown becomes. */
const AUTHORED = /^(A|P|BR|HR|BLOCKQUOTE|PRE|CODE|EM|STRONG|S|[UO]L|LI|H\d|TABLE|THEAD|TBODY|TR|T[HD])$/;

/** The HTML of a change: headings have this level, links lead to whole URLs, images are left out. Text if the page allows no HTML. */
export function authored(markup, text, level) {
  // How cells are aligned. A strict page would report it, even when it is taken out again.
  const html = markup.replaceAll(/ style="text-align:\w+"/g, '');
  const box = element('div', '');
  if (box.setHTML) box.setHTML(html);
  else
    try {
      const rules = { createHTML: (trusted) => trusted };
      policy ??= globalThis.trustedTypes?.createPolicy('whats-new', rules) ?? rules;
      const template = element('template', '');
      template.innerHTML = policy.createHTML(html);
      // Without other elements and attributes nothing is loaded, styled or run.
      for (const node of template.content.querySelectorAll('*')) {
        if (!AUTHORED.test(node.nodeName)) node.remove();
        for (const { name } of [...node.attributes])
          if (name !== 'href' || node.nodeName !== 'A') node.removeAttribute(name);
      }
      box.append(template.content);
    } catch {
      box.textContent = text;
    }
  for (const a of box.querySelectorAll('a')) {
    const isWhole = /^(https?|mailto):/i.test(a.getAttribute('href'));
    if (!isWhole) a.removeAttribute('href');
    a.setAttribute('target', '_blank');
    a.setAttribute('rel', 'noopener');
  }
  for (const each of box.querySelectorAll('h1,h2,h3,h4,h5,h6')) each.ariaLevel = level;
  // Not every browser lets the keyboard scroll what is too wide.
  for (const each of box.querySelectorAll('pre,table')) each.tabIndex = 0;
  return box;
}
