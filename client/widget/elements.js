export function element(tag, part, properties, ...children) {
  const node = Object.assign(document.createElement(tag), properties, { part });
  node.append(...children);
  return node;
}

/** Every browser that has popovers opens it without `window.opener`. */
export const link = (href, content, part = '') => element('a', part, { href, target: '_blank' }, content);
