import { element } from './elements.js';

let policy;
/** Elements that Markdown becomes. */
const AUTHORED = /^(A|P|BR|HR|BLOCKQUOTE|PRE|CODE|EM|STRONG|S|[UO]L|LI|H\d|TABLE|THEAD|TBODY|TR|T[HD])$/;

/** The HTML of a change, with links to whole URLs only and without images; as text if the page allows no HTML. */
export function authored(markup, text) {
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
  return box;
}
