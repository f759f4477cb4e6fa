// The page's script: copy buttons, forms that send requests, and the current section in the table of contents. It must
// not contain `</script`. A key stays in its field: nothing stores it or puts it into a URL.

export const SCRIPT = `
'use strict';
const make = (tag, properties, ...inner) => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...inner);
  return element;
};

for (const figure of document.querySelectorAll('figure')) {
  const button = make('button', { type: 'button' }, 'Copy');
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(figure.querySelector('code').textContent);
    button.textContent = 'Copied';
    setTimeout(() => { button.textContent = 'Copy'; }, 1500);
  });
  if (navigator.clipboard) figure.firstChild.append(button);
}

const makeText = (properties) => {
  const input = make('input', { autocomplete: 'off', spellcheck: false, ...properties });
  return { input, read: () => (input.value === '' ? [] : [input.value]), write: ([value = '']) => { input.value = value; } };
};
const makeChoice = (id, values) => {
  const input = make('select', { id }, ...['', ...values].map((value) => make('option', { value }, value || 'not set')));
  return { input, read: () => (input.value === '' ? [] : [input.value]), write: ([value = '']) => { input.value = value; } };
};
const makeChecks = (id, name, values) => {
  const boxes = values.map((value) => make('input', { type: 'checkbox', value, autocomplete: 'off' }));
  const input = make('div', { className: 'checks' }, ...boxes.map((box) => make('label', {}, box, box.value)));
  input.setAttribute('role', 'group');
  input.setAttribute('aria-label', name);
  return {
    input,
    read: () => boxes.filter((box) => box.checked).map((box) => box.value),
    write: (chosen) => { for (const box of boxes) box.checked = chosen.includes(box.value); },
  };
};
const makeField = (operation, code) => {
  const name = code.textContent;
  const id = operation.id + '-' + name;
  const values = (code.dataset.values ?? '').split(' ').filter(Boolean);
  const isInPath = code.dataset.in === 'path';
  const example = code.dataset.example;
  if (values.length > 0)
    return { name, isInPath, ...('many' in code.dataset ? makeChecks(id, name, values) : makeChoice(id, values)) };
  return { name, isInPath, ...makeText({ id, value: isInPath ? example : '', placeholder: isInPath ? '' : example, required: isInPath }) };
};

const keys = [];
const makeKey = (operation) => {
  const field = makeText({ id: operation.id + '-key', type: 'password', required: true });
  field.input.addEventListener('input', () => { for (const key of keys) key.value = field.input.value; });
  keys.push(field.input);
  return { name: 'API key', ...field };
};

// Behind the gate, Authorization is for its password, which the browser asks for.
const send = async (url, key) => {
  if (key === undefined) return fetch(url);
  const response = await fetch(url, { headers: { Authorization: 'Bearer ' + key }, credentials: 'omit' });
  const isGate = response.status === 401 && /^basic/i.test(response.headers.get('WWW-Authenticate') ?? '');
  return isGate ? fetch(url, { headers: { 'X-API-Key': key } }) : response;
};

const nextOf = (response) => {
  const [, link] = /<([^>]+)>;\\s*rel="next"/.exec(response.headers.get('Link') ?? '') ?? [];
  return link === undefined ? null : new URL(link, location.href).searchParams;
};

const makeForm = (operation) => {
  const described = document.getElementById(operation.dataset.like) ?? operation;
  const fields = [...described.querySelectorAll('[data-in]')].map((code) => makeField(operation, code));
  const key = 'key' in operation.dataset ? makeKey(operation) : null;
  const rows = [...(key ? [key] : []), ...fields].flatMap(({ name, input }) =>
    [input.id ? make('label', { htmlFor: input.id }, name) : make('span', {}, name), input]);
  const submit = make('button', { className: 'main' }, 'Send');
  const more = make('button', { type: 'button', hidden: true }, 'Next page');
  const status = make('output', {});
  const result = make('div', { className: 'result' });
  const form = make('form', {}, ...rows, make('div', { className: 'actions' }, submit, more, status), result);
  let next = null;
  let sent = 0;

  const show = (...parts) => result.replaceChildren(...parts.map(([caption, text]) =>
    make('figure', {}, make('figcaption', {}, caption), make('pre', { tabIndex: 0 }, text))));
  const run = async () => {
    const query = new URLSearchParams();
    let path = operation.dataset.path.slice(1);
    for (const { name, isInPath, read } of fields)
      for (const value of read()) {
        if (isInPath) path = path.replace('{' + name + '}', encodeURIComponent(value));
        else query.append(name, value);
      }
    const search = String(query);
    const url = search === '' ? path : path + '?' + search;
    const own = ++sent;
    status.textContent = '';
    const startedAt = performance.now();
    try {
      const response = await send(url, key?.input.value.trim());
      const text = await response.text();
      if (own !== sent) return;
      const isJson = (response.headers.get('Content-Type') ?? '').includes('json');
      const body = isJson && text !== '' ? JSON.stringify(JSON.parse(text), null, 2) : text;
      next = nextOf(response);
      status.textContent = [response.status, response.statusText, 'in', Math.round(performance.now() - startedAt), 'ms'].join(' ');
      const { pathname } = new URL(url, location.href);
      show(['GET ' + pathname + (search && '?' + search), [...response.headers].map((pair) => pair.join(': ')).join('\\n')], ['Body', body]);
    } catch (error) {
      if (own !== sent) return;
      next = null;
      status.textContent = 'No response: ' + error.message;
      show();
    }
    if (next === null && document.activeElement === more) submit.focus();
    more.hidden = next === null;
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    run();
  });
  more.addEventListener('click', () => {
    for (const { name, isInPath, write } of fields) if (!isInPath) write(next.getAll(name));
    run();
  });
  return make('details', { className: 'try' }, make('summary', {}, 'Try it here'), form);
};
for (const operation of document.querySelectorAll('[data-path]')) operation.append(makeForm(operation));

const nav = document.querySelector('nav');
const links = [...nav.querySelectorAll('a')];
const targets = links.map((link) => document.getElementById(link.hash.slice(1)));
const LINE_PIXELS = 120;
let current = null;
const markCurrent = () => {
  const isAtEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 2;
  const asked = isAtEnd ? targets.indexOf(document.querySelector(':target')) : -1;
  const passed = targets.filter((target) => target.getBoundingClientRect().top <= LINE_PIXELS).length;
  const link = links[asked >= 0 ? asked : Math.max(passed - 1, 0)];
  if (link === current) return;
  current?.removeAttribute('aria-current');
  link.setAttribute('aria-current', 'true');
  current = link;
  nav.scrollLeft = link.closest('nav > ul > li').offsetLeft - 20;
  const { offsetTop } = link;
  if (offsetTop < nav.scrollTop || offsetTop > nav.scrollTop + nav.clientHeight - 48) nav.scrollTop = offsetTop - nav.clientHeight / 2;
};
let isWaiting = false;
const onScroll = () => {
  if (isWaiting) return;
  isWaiting = true;
  requestAnimationFrame(() => { isWaiting = false; markCurrent(); });
};
for (const event of ['scroll', 'resize', 'hashchange']) addEventListener(event, onScroll, { passive: true });
markCurrent();
`;
