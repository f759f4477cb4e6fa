// Runs in a page: triggers every event on its elements, or on HTML fragments that are inserted, twice.

const click = (element) =>
  element.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));

function touch(element) {
  for (const type of ['pointerenter', 'pointerdown', 'mouseenter', 'mouseover', 'mousemove', 'wheel'])
    element.dispatchEvent(new MouseEvent(type, { bubbles: true, cancelable: true }));
  for (const type of ['focus', 'input', 'change', 'toggle', 'animationstart', 'load', 'error', 'begin'])
    element.dispatchEvent(new Event(type));
  element.focus?.();
  click(element);
}

/** Everything on the page itself. Reports what could run or restyle it, even if a policy prevents that. */
globalThis.touchPage = () => {
  const seen = [];
  // Only what a policy does not cover may leave the page: links that are followed, and forms that are sent.
  document.addEventListener('click', (event) => {
    const link = event.target.closest('a');
    if (link === null || /^(https?|mailto)?:$/.test(link.protocol)) event.preventDefault();
  });
  document.addEventListener('submit', (event) => event.preventDefault());
  for (const image of document.images) image.loading = 'eager';
  const elements = [...document.querySelectorAll('*')];
  for (const element of elements) {
    for (const { name } of element.attributes)
      if (/^on|^style$|^srcdoc$|^formaction$/.test(name))
        seen.push(`${name}: ${element.outerHTML.slice(0, 200)}`);
    if (element.href !== undefined && !/^(https?|mailto|data):/.test(element.href))
      seen.push(`leads to ${element.href}`);
    if (element.src && !/^(https|data):/.test(element.src)) seen.push(`loads ${element.src}`);
    touch(element);
  }
  const tags = [...new Set(elements.map(({ localName }) => localName))];
  const scripts = [...document.scripts];
  if (scripts.some(({ type }) => type !== 'application/ld+json')) seen.push('has a script');
  for (const { text } of scripts) JSON.parse(text);
  return { seen, tags, elements: elements.length };
};

/** @param {{ pieces: string[], rel: string }} given */
globalThis.touchAll = async ({ pieces, rel }) => {
  const main = document.querySelector('main');
  const seen = [];
  const kinds = new Set();
  let links = 0;
  let under = '';
  const note = () => void seen.push(`ran: ${under}`);
  Object.assign(window, { alert: note, confirm: note, prompt: note, msgbox: note });
  // Links are inspected, since following them would end the test. An invalid URL leads nowhere.
  document.addEventListener('click', (event) => {
    const link = event.target.closest('a');
    if (link !== null && /^(https?|mailto)?:$/.test(link.protocol)) event.preventDefault();
  });

  function show(html) {
    main.innerHTML = html;
    for (const element of main.querySelectorAll('*')) touch(element);
    for (const link of main.querySelectorAll('a')) {
      links++;
      kinds.add(link.protocol);
      if (link.getAttribute('rel') !== rel) seen.push(`without rel: ${under}`);
    }
    return main.innerHTML;
  }

  for (const piece of pieces) {
    under = piece;
    // The second time as serialized by the browser, which may change its meaning (mutation XSS).
    show(show(piece));
    if (document.title !== 'x' || document.body.children.length !== 1) seen.push(`broke out: ${under}`);
  }
  // All together, until a request has completed, so that delayed scripts have run.
  under = 'one of all';
  main.innerHTML = pieces.join('\n');
  for (const link of main.querySelectorAll('a')) click(link);
  await fetch('/').then((response) => response.text());
  await new Promise((resolve) => setTimeout(resolve));
  return { seen, links, kinds: [...kinds] };
};
