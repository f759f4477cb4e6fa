// `<whats-new>`: tells visitors of a page what is new in a product, and how much of it they have not seen yet.
//
//   <whats-new team="acme" product="rocket"><a href="https://changes.example.com/changelog/acme/rocket">What's new</a></whats-new>
//
// Attributes: `team`, `product`; `version`: what the visitor runs, shows all changes after it; `to`: shows nothing newer
// than this version; `mode`: `popover`, `modal` or `inline`; `base-url`: the URL of the service, by default where this
// file was loaded from; `first`: on a first visit, the newest version is unread; `seen`: ids of versions that the visitor
// has seen elsewhere, separated by spaces; `texts`: other words for some of TEXTS, as JSON. Each is a property too:
// `baseUrl`; `seen` is an array, `texts` an object.
// Element: `unread` (a number), `open()`, `close()`.
// Events, which bubble: `unreadchange` (`detail: { count, ids }`), `open`, `close`.
// Parts: `::part(anchor)`, `::part(trigger)`, `::part(badge)`, `::part(panel)`, `::part(content)`, `::part(header)`,
// `::part(heading)`, `::part(close)`, `::part(status)`, `::part(version)`, `::part(title)`, `::part(meta)`,
// `::part(tag)`, `::part(changes)`, `::part(change)`, `::part(more)`. A tag is also a part by its kind:
// `::part(breaking)`, `::part(yanked)`, `::part(added)` and so on.
// Custom properties: `--whats-new-accent`, `--whats-new-background`, `--whats-new-text`, `--whats-new-badge`,
// `--whats-new-font`, `--whats-new-width`, `--whats-new-height`, `--whats-new-radius`. Dark or light: as `color-scheme` is.
//
// Unread are those of the newest 10 versions that this browser has not shown. A first visit only takes note of them. With
// `version`, only versions after it count; with `to`, only versions up to it.
// It sends at most one request in 15 minutes, for all tabs together: when it is added to a visible page, and when the page
// becomes visible or gets focus. Opening it sends another only if what it has is older than that, or has no changes.

const QUIET_MS = 15 * 60_000;
const LISTED_VERSIONS = 10;
const SEEN_MAX = 50;
/** The storage belongs to the host, and has room for 5 million characters. */
const STORED_CHARACTERS_MAX = 200_000;
const TIMEOUT_MS = 10_000;
const FAILED_WAIT_SECONDS_MIN = 10;
const NEWS = 'whats-new';
const ATTRIBUTES = ['team', 'product', 'version', 'to', 'mode', 'base-url', 'first', 'seen', 'texts'];
const TYPES = ['added', 'changed', 'deprecated', 'removed', 'fixed', 'security', 'other'];
const TEXTS = {
  heading: 'What’s new',
  close: 'Close',
  unread: '{} unread',
  since: 'Since {}',
  more: 'See all changes',
  loading: 'Loading…',
  empty: 'Nothing new.',
  failed: 'Could not be loaded.',
  breaking: 'Breaking',
  yanked: 'Yanked',
};
for (const type of TYPES) TEXTS[type] = type[0].toUpperCase() + type.slice(1);

const CSS = `
:host([hidden]),[hidden]{display:none!important}
:host([mode=inline]){display:block}
:host([mode=inline]) [part=anchor]{display:none}
*{box-sizing:border-box;margin:0}
[part=anchor]{position:relative;anchor-name:--a}
[part=trigger]{font:inherit}
[part=badge],[part=content]{all:initial;visibility:inherit;color-scheme:inherit;font:var(--whats-new-font,1rem/1.5 system-ui,sans-serif);border:1px solid #0000}
[part=badge]{position:absolute;bottom:calc(100% - .75rem);inset-inline-start:calc(100% - .375rem);min-width:.5rem;padding:0 .25rem;border-radius:1rem;font-size:.6875rem;font-weight:600;line-height:1rem;text-align:center;pointer-events:none;background:var(--whats-new-badge,#c4231a);color:#fff}
dialog{inset:auto;bottom:0;inset-inline-end:0;margin:.5rem;padding:0;border:1px solid #0000;width:min(var(--whats-new-width,26rem),100vw - 1rem);max-width:none;max-height:min(var(--whats-new-height,36rem),100dvh - 1rem);overflow:auto;overscroll-behavior:contain;border-radius:var(--whats-new-radius,.75rem);box-shadow:0 .5rem 2rem #0004,0 0 0 1px #8884}
dialog:modal{inset:0;margin:auto}
:modal::backdrop{background:#0007}
@supports(position-area:top){:popover-open{inset:auto;position-anchor:--a;position-area:block-end span-all;position-try:most-block-size flip-block;max-height:min(var(--whats-new-height,36rem),100% - 1rem)}}
[part=content]{display:block;padding:0 1.25rem;overflow-wrap:anywhere;background:var(--page);color:var(--text);
--accent:var(--whats-new-accent,light-dark(#0a58ca,#79b4ff));
--page:var(--whats-new-background,light-dark(#fff,#171b22));
--text:var(--whats-new-text,light-dark(#22272e,#dde2e8))}
dialog [part=header]{position:sticky;top:0}
[part=header]{display:flex;align-items:center;justify-content:space-between;padding:.75rem 0;background:var(--page)}
h2,h3,h4{font-size:1.125rem;font-weight:600;line-height:1.3}
h3{font-size:1rem}
[part=close]{font:1.25rem/1 system-ui;width:2rem;height:2rem;padding:0;margin-inline-end:-.5rem;border:0;border-radius:.5rem;background:none;color:inherit;cursor:pointer}
[part=close]:hover,code{background:#8883}
[part=version],[part=more]{display:block;border-top:1px solid #8884;padding:1rem 0}
[part=meta],[part=status],[part=more]{font-size:.875rem;color:color-mix(in srgb,var(--text) 75%,var(--page))}
[part=status]:not(:empty){padding-bottom:1rem}
b,time{unicode-bidi:isolate;margin-inline-end:.75rem}
b{font:600 .875em Menlo,Consolas,monospace;color:var(--accent)}
h4{font-size:1rem;margin:.75rem 0 .25rem}
[part~=tag]{display:inline-block;font-size:.75rem;font-weight:600;line-height:1.5;padding:0 .375rem;border:1px solid #0000;border-radius:.25rem;color:color-mix(in srgb,var(--type,#888) 60%,var(--text));background:color-mix(in srgb,var(--type,#888) 10%,#0000)}
[part~=added]{--type:#090}
[part~=changed]{--type:#07f}
[part~=deprecated],[part~=removed]{--type:#b70}
[part~=fixed]{--type:#84f}
[part~=security],[part~=breaking],[part~=yanked]{--type:red}
ul,ol{padding-inline-start:1.125rem}
[part=changes]{padding:0}
[part=change]{margin-inline-start:1.125rem}
li::marker{color:#888}
li,p+*,pre{margin-top:.25rem}
a{color:var(--accent)}
h3 a{color:inherit;text-decoration:none}
a:hover{text-decoration:underline}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
dialog:focus{outline:0}
code{font:.875em Menlo,Consolas,monospace;padding:.125rem .25rem;border-radius:.25rem}
pre{overflow:auto;direction:ltr}
@media(prefers-reduced-motion:no-preference){dialog{animation:a .15s}@keyframes a{from{opacity:0;translate:0 .5rem}}}
`;

let sheet;
let policy;
let hasWarned;
/** What the storage refused to keep. */
const memory = new Map();
/** Requests on their way, by what they ask for. */
const pending = {};

export class WhatsNew extends (globalThis.HTMLElement ?? Object) {
  static observedAttributes = ATTRIBUTES;
  #panel;

  constructor() {
    super();
    this.#panel = attachPanel(this);
  }

  get unread() {
    return this.#panel.unread();
  }

  open() {
    this.#panel.open();
  }

  close() {
    this.#panel.close();
  }

  connectedCallback() {
    for (const name of PROPERTIES) {
      if (!Object.hasOwn(this, name)) continue;
      const value = this[name];
      delete this[name];
      this[name] = value;
    }
    this.#panel.connect();
  }

  disconnectedCallback() {
    this.#panel.disconnect();
  }

  attributeChangedCallback() {
    this.#panel.change();
  }
}

/** Not written as one expression, which bundlers take for a file to include. */
const HERE = import.meta.url;
const PROPERTIES = ATTRIBUTES.map((attribute) => {
  const name = attribute.replace('-u', 'U');
  Object.defineProperty(WhatsNew.prototype, name, {
    get() {
      const value = this.getAttribute(attribute);
      if (name === 'first') return value != null;
      if (name === 'texts') return { ...TEXTS, ...parsed(value) };
      if (name === 'seen') return [...new Set([...(seenAt(placeOf(this)) ?? []), ...givenIds(this)])];
      return value ?? '';
    },
    set(value) {
      if (value == null || value === false) this.removeAttribute(attribute);
      else
        this.setAttribute(
          attribute,
          value === true ? '' : typeof value === 'object' ? JSON.stringify(value) : value,
        );
    },
  });
  return name;
});

export function define(name = 'whats-new') {
  const { customElements } = globalThis;
  if (!customElements || customElements.get(name)) return;
  customElements.define(name, name === 'whats-new' ? WhatsNew : class extends WhatsNew {});
}

function attachPanel(host) {
  const slot = element('slot', '');
  const button = element('button', 'trigger');
  const badge = element('span', 'badge', { ariaHidden: true });
  const root = host.attachShadow({ mode: 'open' });
  root.append(element('span', 'anchor', {}, slot, button, badge));
  root.adoptedStyleSheets = [styles()];

  let connection;
  let isQueued;
  let place = {};
  let built;
  let panel;
  let content;
  let status;
  let shownAt;
  let isInView;
  let wasOpen;
  /** What gets the focus when the panel closes. */
  let back;
  let ids = [];
  /** The link or button that opens the panel, and its own label. */
  let trigger;
  let label;

  const isInline = () => host.mode === 'inline';
  const isOpen = () => !!panel?.matches(':popover-open,:modal');
  const children = new MutationObserver(() => start());
  const view = new IntersectionObserver(([{ isIntersecting }]) => {
    isInView = isIntersecting;
    look();
  });
  const emit = (name, detail) =>
    host.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));

  host.addEventListener('pointerdown', () => {
    wasOpen = isOpen();
  });
  host.addEventListener('click', (event) => {
    const { button, metaKey, ctrlKey, shiftKey, altKey, defaultPrevented, detail } = event;
    if (!place.key || !event.composedPath().includes(trigger)) return;
    // With one of these, a link opens elsewhere.
    if (button || metaKey || ctrlKey || shiftKey || altKey || defaultPrevented) return;
    event.preventDefault();
    // The press has closed a popover by now.
    const isToClose = (detail ? wasOpen : undefined) ?? isOpen();
    wasOpen = undefined;
    if (isToClose) return close();
    // Not every browser focuses a link on click, and what has focus now gets it back.
    trigger.focus({ preventScroll: true });
    open();
  });

  function connect() {
    connection = new AbortController();
    for (const type of ['storage', 'focus', 'visibilitychange', NEWS])
      addEventListener(type, onNews, connection);
    children.observe(host, { childList: true, characterData: true, subtree: true });
    start();
  }

  function disconnect() {
    connection.abort();
    children.disconnect();
    view.disconnect();
    setTrigger();
    back = undefined;
    built = '';
  }

  function onNews({ type, key }) {
    if (type === 'focus' || type === 'visibilitychange') look();
    else if (!key || key.startsWith(place.key)) count();
  }

  /** Several attributes often change at once. */
  function change() {
    if (isQueued) return;
    isQueued = true;
    queueMicrotask(() => {
      isQueued = false;
      if (host.isConnected) start();
    });
  }

  function start() {
    const given = host.querySelector('a,button,[role],[tabindex]');
    place = placeOf(host);
    build();
    slot.hidden = !given;
    button.hidden = given;
    button.textContent = host.textContent.trim() || host.texts.heading;
    setTrigger(isInline() ? undefined : (given ?? button));
    count();
    if (isOpen()) show();
    else look();
  }

  function build() {
    const { mode, texts } = host;
    const wanted = mode + JSON.stringify(texts);
    if (built === wanted) return;
    built = wanted;
    shownAt = 0;
    close();
    panel?.remove();
    view.disconnect();
    const header = element('div', 'header', {}, element('h2', 'heading', {}, texts.heading));
    status = element('p', 'status', { role: 'status' });
    content = element('div', 'content', {}, header, status);
    panel = element(isInline() ? 'section' : 'dialog', 'panel', { ariaLabel: texts.heading }, content);
    root.append(panel);
    if (isInline()) return view.observe(panel);
    header.append(element('button', 'close', { ariaLabel: texts.close, onclick: close }, '✕'));
    const onclose = () => isOpen() || tell(false);
    // Not every browser does it by itself for a popover in a shadow root.
    panel.onbeforetoggle = ({ newState }) => {
      if (newState === 'closed' && root.activeElement) back?.focus();
    };
    Object.assign(panel, { tabIndex: -1, closedBy: 'any', onclose, ontoggle: onclose });
    if (mode !== 'modal') panel.popover = 'auto';
  }

  /** Without one, the last one becomes what it was. */
  function setTrigger(next) {
    if (next === trigger) return;
    if (trigger) Object.assign(trigger, { ariaLabel: label, ariaExpanded: null, ariaHasPopup: null });
    trigger = next;
    label = next?.ariaLabel;
    // A copy of an element has what the widget made of it.
    if (label?.startsWith(`${next.textContent.trim()},`)) label = null;
    if (next) Object.assign(next, { ariaExpanded: isOpen(), ariaHasPopup: 'dialog' });
  }

  function open() {
    if (!host.isConnected || !place.key || isInline() || isOpen()) return;
    back = document.activeElement === host ? trigger : document.activeElement;
    if (panel.popover) panel.showPopover();
    else panel.showModal();
    // Not the close button, which comes first: it would be read before the heading.
    panel.focus();
    tell(true);
    show();
  }

  function close() {
    if (!isOpen()) return;
    if (panel.popover) panel.hidePopover();
    else panel.close();
    tell(false);
  }

  function tell(isNowOpen) {
    if (!trigger || trigger.ariaExpanded === `${isNowOpen}`) return;
    trigger.ariaExpanded = isNowOpen;
    emit(isNowOpen ? 'open' : 'close');
  }

  function look() {
    if (document.hidden || !place.key) return;
    if (!isInline()) load(place);
    else if (isInView) show();
  }

  /** Ids of the newest versions up to `to`. */
  function known(least) {
    const to = orderOf(host.to);
    const list = cacheOf(place).list ?? [];
    return list.filter(([, order]) => !(order > to) && (!least || order > least)).map(([id]) => id);
  }

  function count() {
    const { texts, first } = host;
    const all = known();
    const counted = known(orderOf(host.version));
    if (cacheOf(place).list && !seenAt(place)) {
      const given = givenIds(host);
      see(
        place,
        all.filter((id) => (given[0] ? given.includes(id) : !first || id !== counted[0])),
      );
    }
    const { seen } = host;
    // What is older than all that was seen is not new: it moved up when another was withdrawn.
    const end = all.findLastIndex((id) => seen.includes(id));
    const unread = counted.filter((id) => !seen.includes(id) && (end < 0 || all.indexOf(id) < end));
    const number = unread[9] ? '9+' : unread.length;
    badge.hidden = !unread[0];
    badge.textContent = number;
    if (trigger) {
      const name = label || trigger.textContent.trim() || texts.heading;
      trigger.ariaLabel = unread[0] ? `${name}, ${texts.unread.replace('{}', number)}` : label;
    }
    if (`${unread}` === `${ids}`) return;
    ids = unread;
    emit('unreadchange', { count: ids.length, ids });
  }

  async function show() {
    const { texts, version, to } = host;
    const [here, box] = [place, content];
    const put = (text, ...parts) => {
      while (box.lastChild !== status) box.lastChild.remove();
      status.textContent = text;
      box.append(...parts);
    };
    if (!shownAt) put(texts.loading);
    // What is not a version is as if it were absent.
    const range = {};
    if (orderOf(version)) range.from = version;
    if (orderOf(to)) range.to = to;
    const full = await load(here, range);
    if (box !== content || !host.isConnected) return;
    const { from } = range;
    const page = `${here.base}/changelog/${here.team}/${here.product}`;
    const more = link(`${page + (from ? '/changes' : '')}?${new URLSearchParams(range)}`, texts.more, 'more');
    if (!full) return put(texts.failed, more);
    const { versions = [], groups = [] } = full.data;
    const context = { texts, page, language: (host.closest('[lang]') ?? document.documentElement).lang };
    if (full.at !== shownAt) {
      const sections = [
        ...versions.map((each) => versionElement(each, context)),
        ...groups.map(({ type, changes }) =>
          element('section', 'version', {}, ...group(type, changes, context, 'h3')),
        ),
      ];
      put(sections[0] ? (from ? texts.since.replace('{}', from) : '') : texts.empty, ...sections, more);
      shownAt = full.at;
    }
    const shown = groups.flatMap(({ changes }) => changes.map(({ versionId }) => versionId));
    // A first visit ends with a list: changes since a version do not have the versions before it.
    if (seenAt(here)) see(here, [...known(), ...versions.map(({ id }) => id), ...shown]);
  }

  return { connect, disconnect, change, open, close, unread: () => ids.length };
}

function styles() {
  if (sheet) return sheet;
  sheet = new CSSStyleSheet();
  sheet.replaceSync(CSS);
  return sheet;
}

/** Where the element reads; without a key if it cannot yet. */
function placeOf({ team, product, baseUrl }) {
  try {
    const { origin, pathname } = new URL(baseUrl || new URL('.', HERE), document.baseURI);
    const base = origin + pathname.replace(/\/+$/, '');
    const key = /^http/.test(origin) && team && product && `whats-new:${base}/${team}/${product}`;
    return { key, base, team: encodeURIComponent(team), product: encodeURIComponent(product) };
  } catch {
    return {};
  }
}

const givenIds = (host) => host.getAttribute('seen')?.match(/[\w.~-]+/g) ?? [];

/** `at`: when it was asked last; `list`: the newest versions; `full`: what was shown last. */
const cacheOf = ({ key }) => ({ at: 0, waitUntil: 0, ...read(`${key}?`) });

/** Loads the list, or with a range the versions or changes in it, and returns these; undefined if there are none. */
async function load(place, range) {
  const name = JSON.stringify(range);
  const { at, waitUntil, full } = cacheOf(place);
  const isFresh = isRecent(at) && (!range || (full?.name === name && full.at === at));
  if (!isFresh && Date.now() > waitUntil) {
    const id = place.key + name;
    // Whoever wants the same gets the same.
    pending[id] ??= ask(place, name, range).finally(() => delete pending[id]);
    await pending[id];
  }
  const loaded = cacheOf(place).full;
  return loaded?.name === name ? loaded : undefined;
}

async function ask({ key, base, team, product }, name, range) {
  const from = range?.from;
  const path = `/api/v1/public/teams/${team}/products/${product}/changelog`;
  const query = from ? range : { limit: LISTED_VERSIONS, ...(range && { include: 'changes', ...range }) };
  const url = `${base + path + (from ? '/changes' : '')}?${new URLSearchParams(query)}`;
  const at = Date.now();
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(() => undefined);
  const { data } = (response?.ok && (await response.json().catch(() => undefined))) || {};
  const news = { at };
  if (!data) {
    const seconds = Number(response?.headers.get('retry-after')) || 0;
    news.waitUntil = at + 1000 * Math.max(seconds, FAILED_WAIT_SECONDS_MIN);
    if (!response || response.status === 401) warn(base);
  } else {
    if (range) news.full = { name, at, data };
    if (!from && !range?.to) news.list = data.versions.map(({ id, version }) => [id, orderOf(version)]);
  }
  write(`${key}?`, { ...cacheOf({ key }), ...news });
}

/** Null before the first visit. */
const seenAt = ({ key }) => (Array.isArray(read(key)) ? read(key) : null);

/** The last ones are forgotten first. */
function see(place, ids) {
  const before = seenAt(place);
  const seen = [...new Set([...ids, ...(before ?? [])])].slice(0, SEEN_MAX);
  if (`${seen}` !== `${before}`) write(place.key, seen);
}

/** A clock may have been put back. */
const isRecent = (at) => Math.abs(Date.now() - at) < QUIET_MS;

function read(key) {
  try {
    return memory.get(key) ?? parsed(localStorage.getItem(key));
  } catch {
    return null;
  }
}

/** Tells the elements of this page; the storage tells those of other tabs. */
function write(key, value) {
  memory.set(key, value);
  try {
    const text = JSON.stringify(value);
    if (text.length < STORED_CHARACTERS_MAX) {
      localStorage.setItem(key, text);
      memory.delete(key);
    }
  } catch {}
  dispatchEvent(new Event(NEWS));
}
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** A browser does not say why a request failed, but this is hard to find out. */
function warn(base) {
  if (hasWarned) return;
  hasWarned = true;
  console.warn(
    `whats-new: cannot read ${base}. If a password protects it (PASSWORD_PROTECTION), the widget works on the same origin only.`,
  );
}

/** A text that sorts like the version; undefined if the label is not a version. */
function orderOf(label) {
  const [, numbers, rest = '~'] = /^v?(\d[\d.]*)(-[^+]*)?/i.exec(label) ?? [];
  if (!numbers) return;
  const three = [...numbers.split('.'), 0, 0].slice(0, 3).join('.');
  return (three + rest).replace(/\b\d+\b/g, (digits) => digits.padStart(9, 0));
}

function element(tag, part, properties, ...children) {
  const node = Object.assign(document.createElement(tag), properties, { part });
  node.append(...children);
  return node;
}

const link = (href, content, part = '') =>
  element('a', part, { href, target: '_blank', rel: 'noopener' }, content);

function versionElement({ id, version, title, publishedAt, yanked, changes }, context) {
  const { texts, page, language } = context;
  const isOnlyLabel = !title || title.replace(/^v/i, '') === version.replace(/^v/i, '');
  const meta = element('p', 'meta', {}, isOnlyLabel ? '' : element('b', '', {}, version));
  if (publishedAt) meta.append(element('time', '', { dateTime: publishedAt }, dateOf(publishedAt, language)));
  if (yanked) meta.append(element('span', 'tag yanked', {}, texts.yanked));
  const heading = element('h3', 'title', { dir: 'auto' }, link(`${page}/versions/${id}`, title || version));
  const groups = TYPES.flatMap((type) => {
    const some = changes.filter((change) => change.type === type);
    return some[0] ? group(type, some, context) : [];
  });
  return element('section', 'version', {}, meta, heading, ...groups);
}

function dateOf(time, language) {
  const options = { dateStyle: 'medium', timeZone: 'UTC' };
  try {
    return new Date(time).toLocaleDateString(language || undefined, options);
  } catch {
    return time.slice(0, 10);
  }
}

function group(type, changes, { texts }, heading = 'h4') {
  const items = changes.map(({ html, text, breaking, version }) =>
    element(
      'li',
      'change',
      { dir: 'auto' },
      breaking ? element('span', 'tag breaking', {}, texts.breaking) : '',
      authored(html, text),
      version ? element('span', 'meta', {}, version) : '',
    ),
  );
  const name = element('span', `tag ${type}`, {}, texts[type] ?? type);
  return [element(heading, '', {}, name), element('ul', 'changes', {}, ...items)];
}

/** The HTML of a change, with links to whole URLs only and without images; as text if the page allows no HTML. */
function authored(markup, text) {
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
      // Without attributes nothing is loaded, styled or run.
      for (const node of template.content.querySelectorAll('*'))
        for (const { name } of [...node.attributes])
          if (name !== 'href' || node.nodeName !== 'A') node.removeAttribute(name);
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

define();
