// Runs in a page: puts pieces of HTML into it, twice, and touches all that can be touched.

/** @param {{ pieces: string[], rel: string }} given */
globalThis.touchAll = async ({ pieces, rel }) => {
  const main = document.querySelector('main');
  const seen = [];
  const kinds = new Set();
  let links = 0;
  let under = '';
  const note = () => void seen.push(`ran: ${under}`);
  Object.assign(window, { alert: note, confirm: note, prompt: note, msgbox: note });
  // Where a link leads is looked at; to follow it would end the test. An address that is none leads nowhere.
  document.addEventListener('click', (event) => {
    const link = event.target.closest('a');
    if (link !== null && /^(https?|mailto)?:$/.test(link.protocol)) event.preventDefault();
  });

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
    // The second time as the browser itself writes it: what changes its meaning on the way would show.
    show(show(piece));
    if (document.title !== 'x' || document.body.children.length !== 1) seen.push(`broke out: ${under}`);
  }
  // All together, and left there until a request has been answered: what runs later has run by then.
  under = 'one of all';
  main.innerHTML = pieces.join('\n');
  for (const link of main.querySelectorAll('a')) click(link);
  await fetch('/').then((answer) => answer.text());
  await new Promise((resolve) => setTimeout(resolve));
  return { seen, links, kinds: [...kinds] };
};
