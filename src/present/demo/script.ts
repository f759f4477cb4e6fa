// The controls of the demo's page. They only change the page and what its visitor's browser keeps.
export const SCRIPT = `const controls = document.querySelector('fieldset');
const corner = document.querySelector('.corner');
const place = document.querySelector('.place');
const snippet = document.querySelector('#snippet');
const heard = document.querySelector('#heard');
const original = document.querySelector('whats-new');
const [loading] = snippet.textContent.split('\\n', 1);
const link = /<a .*<\\/a>/.exec(snippet.textContent)[0];
const HEARD_MAX = 5;

const hear = ({ type, detail }) => {
  const line = document.createElement('li');
  line.textContent = type === 'unreadchange' ? type + ', count: ' + detail.count : type;
  heard.prepend(line);
  heard.children[HEARD_MAX]?.remove();
};
for (const type of ['unreadchange', 'open', 'close']) document.addEventListener(type, hear);

const show = (isFirst) => {
  const { mode, version, dir, scheme } = Object.fromEntries([...controls.elements].map(({ name, value }) => [name, value]));
  document.documentElement.dir = dir;
  document.documentElement.style.colorScheme = scheme;
  // Once removed, the element has left its link as it was.
  corner.replaceChildren();
  place.replaceChildren();
  const widget = original.cloneNode(true);
  widget.removeAttribute('first');
  if (version) widget.setAttribute('version', version);
  if (mode !== 'popover') widget.setAttribute('mode', mode);
  const attributes = widget.getAttributeNames().map((name) => ' ' + name + '="' + widget.getAttribute(name) + '"');
  snippet.textContent = loading + '\\n\\n<whats-new' + attributes.join('') + '>\\n  ' + link + '\\n</whats-new>';
  widget.toggleAttribute('first', isFirst);
  (mode === 'inline' ? place : corner).append(widget);
};

const forget = () => {
  for (const key of Object.keys(localStorage)) if (key.startsWith('whats-new:')) localStorage.removeItem(key);
};

controls.addEventListener('change', () => show(false));
document.querySelector('#forget').addEventListener('click', () => { forget(); show(false); });
document.querySelector('#publish').addEventListener('click', () => { forget(); show(true); });
controls.hidden = false;
`;
