// `<whats-new>`: tells visitors of a page what is new in a product, and how much of it they have not seen.
//
//   <whats-new team="acme" product="rocket"><a href="https://changes.example.com/changelog/acme/rocket">What's new</a></whats-new>
//
// Attributes: `team`, `product`; `version`, what the visitor runs: shows all changes after it; `to`: nothing newer than
// this version; `mode`: `popover`, `modal` or `inline`; `base-url`: the URL of the service, by default where this file
// comes from; `first`: a first visit counts the newest version as unread; `seen`: ids of versions, separated by spaces,
// that the visitor has seen elsewhere; `texts`: JSON with some of TEXTS in other words. Each is a property too: `baseUrl`,
// `seen` an array, `texts` an object.
// Also: `unread` (a number), `open()`, `close()`; events `unreadchange` (`detail: { count, ids }`), `open`, `close`.
// Parts: ::part(trigger) ::part(badge) ::part(panel) ::part(header) ::part(heading) ::part(close) ::part(status)
// ::part(version) ::part(title) ::part(meta) ::part(tag) ::part(changes) ::part(change) ::part(more)
//
// Unread is what this browser has not shown yet, by the ids of the newest 10 versions. The first visit only notes them.
// With `version`, versions up to it do not count, nor do those after `to`.
// Asks at most once in 15 minutes, in all tabs together: when it is added to a visible page, and when the page becomes
// visible or gets focus again. Opening it asks if it has to.
import { ChangelogClient } from './index.js';

const QUIET_MS = 15 * 60_000;
const LISTED_VERSIONS = 10;
const SEEN_MAX = 50;
/** Longer responses stay in memory: the storage belongs to the host, and has about 5 million characters. */
const STORED_CHARACTERS_MAX = 200_000;
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
  failed: 'This cannot be loaded right now.',
  breaking: 'Breaking',
  yanked: 'Yanked',
};
for (const type of TYPES) TEXTS[type] = type[0].toUpperCase() + type.slice(1);

const CSS = `
:host([hidden]),[hidden]{display:none!important}
:host([mode=inline]){display:block}
.anchor{position:relative;anchor-name:--trigger}
[part=trigger]{font:inherit;color:inherit;background:none;border:1px solid;border-radius:.5rem;padding:.25rem .75rem;cursor:pointer}
[part=badge],.box{all:initial;color-scheme:inherit;visibility:inherit;font:var(--whats-new-font,1rem/1.5 system-ui,sans-serif);
--accent:var(--whats-new-accent,light-dark(#0a58ca,#79b4ff));
--page:var(--whats-new-background,light-dark(#fff,#171b22));
--text:var(--whats-new-text,light-dark(#2d333b,#cdd3db));
--quiet:var(--whats-new-quiet,light-dark(#5b6470,#98a2ae));
--line:var(--whats-new-line,light-dark(#e4e7eb,#333b47));
--red:light-dark(#ae1a1f,#ff958f)}
[part=badge]{position:absolute;bottom:calc(100% - .625rem);inset-inline-start:calc(100% - .375rem);box-sizing:border-box;min-width:1.125rem;padding:0 .25rem;border:1px solid #0000;border-radius:1rem;font-size:.6875rem;font-weight:600;line-height:1rem;text-align:center;pointer-events:none;background:var(--whats-new-badge,light-dark(#c4231a,#ff958f));color:var(--whats-new-badge-text,light-dark(#fff,#0e1116))}
dialog{inset:auto;inset-block-end:0;inset-inline-end:0;margin:.5rem;padding:0;border:0;background:none;width:min(var(--whats-new-width,26rem),100vw - 1rem);max-width:none;max-height:min(var(--whats-new-height,36rem),100dvh - 1rem);overflow:auto;overscroll-behavior:contain;border-radius:var(--whats-new-radius,.75rem);box-shadow:0 .5rem 2rem #0003,0 0 0 1px #8883}
dialog:modal{inset:0;margin:auto}
dialog:modal::backdrop{background:#0007}
@supports(position-area:block-end){dialog:popover-open{inset:auto;position-anchor:--trigger;position-area:block-end span-all;position-try:most-block-size flip-block;max-height:min(var(--whats-new-height,36rem),100% - 1rem)}}
.box{display:block;background:var(--page);color:var(--text);padding:0 1.25rem .5rem;overflow-wrap:anywhere;border:1px solid #0000;border-radius:inherit}
*{box-sizing:border-box;margin:0}
[part=header]{display:flex;align-items:center;justify-content:space-between;gap:1rem;position:sticky;top:0;padding:.875rem 0 .75rem;background:var(--page)}
h2,h3,h4{font-weight:600;line-height:1.3}
h2,h3 a{color:var(--whats-new-strong,light-dark(#0f1216,#f4f6f8))}
h2{font-size:1.125rem}
h3{font-size:1rem}
[part=close]{font:1.25rem/1 system-ui;width:2rem;height:2rem;padding:0;margin-inline-end:-.5rem;border:0;border-radius:.5rem;background:none;color:var(--quiet);cursor:pointer}
[part=close]:hover{background:color-mix(in srgb,currentcolor 12%,#0000)}
[part=version]{border-top:1px solid var(--line);padding:1rem 0}
[part=meta],[part=status],[part=more]{font-size:.875rem;color:var(--quiet)}
[part=status]:not(:empty){padding-bottom:1rem}
b{font:600 .875em Menlo,Consolas,monospace;color:var(--accent);margin-inline-end:.75em}
h4{margin:.75rem 0 .25rem}
[part~=tag]{display:inline-block;font-size:.75rem;font-weight:600;line-height:1.5;padding:0 .375rem;border:1px solid #0000;border-radius:.25rem;color:var(--type,var(--quiet));background:color-mix(in srgb,var(--type,var(--quiet)) 10%,#0000)}
[part~=added]{--type:light-dark(#116329,#6fdd8b)}
[part~=changed]{--type:light-dark(#0b4fae,#8dbdff)}
[part~=deprecated],[part~=removed]{--type:light-dark(#7a4a00,#efc06a)}
[part~=fixed]{--type:light-dark(#5a35ab,#c4b0ff)}
[part~=security],[part~=breaking],[part~=yanked]{--type:var(--red)}
ul,ol{padding-inline-start:1.125rem}
li::marker{color:var(--quiet)}
li,p+p,pre{margin-top:.25rem}
a{color:var(--accent);text-underline-offset:.2em}
h3 a{text-decoration:none}
a:hover{text-decoration:underline}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
dialog:focus,.box:focus{outline:0}
code{font:.875em Menlo,Consolas,monospace;padding:.125rem .25rem;border-radius:.25rem;background:color-mix(in srgb,currentcolor 8%,#0000)}
pre{overflow:auto;direction:ltr}
td,th{text-align:start;padding-inline-end:1rem}
[part=more]{display:inline-block;padding:.75rem 0;border-top:1px solid var(--line);width:100%}
@media(prefers-reduced-motion:no-preference){dialog{animation:in .15s}@keyframes in{from{opacity:0;translate:0 .5rem}}}
`;

let sheet;
let policy;
let hasWarned;
/** What the storage refused to keep. */
const memory = new Map();
/** By key, while an element needs it. */
const stores = new Map();

/** The versions of one product, shared by all its elements on the page and, by the storage, in other tabs. */
class Store {
  /** Called with true when it is time to look for news. */
  listeners = new Set();
  #pending = {};

  constructor(key, base, team, product) {
    this.key = key;
    this.base = base;
    this.client = new ChangelogClient({ baseUrl: base, team, product });
  }

  /** Null before the first contact. */
  get seen() {
    return read(this.key);
  }

  /** The newest first, so that the oldest are forgotten. */
  addSeen(ids) {
    const seen = [...new Set([...ids, ...(this.seen ?? [])])].slice(0, SEEN_MAX);
    if (String(seen) === String(this.seen)) return;
    write(this.key, seen);
    this.tell();
  }

  get cache() {
    return { at: 0, waitUntil: 0, ...read(`${this.key}?`) };
  }

  tell(isTime) {
    for (const listener of [...this.listeners]) listener(isTime);
  }

  look() {
    const { at, waitUntil } = this.cache;
    if (!document.hidden && !isRecent(at) && Date.now() > waitUntil) this.#load('list');
  }

  /** The versions with their changes, or all changes after `from`; undefined if there is nothing to show. */
  async content(from, to) {
    const query = JSON.stringify([from, to]);
    const kept = () => {
      const { full } = this.cache;
      return full?.query === query ? full : undefined;
    };
    const { at, waitUntil } = this.cache;
    const isFresh = kept() && kept().at >= at && isRecent(kept().at);
    if (!isFresh && Date.now() > waitUntil) await this.#load(query, from, to);
    return kept()?.data;
  }

  /** Whoever wants the same gets the same. */
  #load(query, from, to) {
    this.#pending[query] ??= this.#ask(query, from, to).finally(() => delete this.#pending[query]);
    return this.#pending[query];
  }

  async #ask(query, from, to) {
    let news;
    try {
      const isList = query === 'list';
      const data = from
        ? await this.client.changesBetween(from, to)
        : await this.client.feed({ limit: LISTED_VERSIONS, ...(!isList && { include: 'changes', to }) });
      const at = Date.now();
      // With `to` it is not the list that everybody has.
      if (!from && !(to && !isList))
        news = { at, list: data.versions.map(({ id, version }) => [id, version]) };
      if (!isList) news = { ...news, full: { query, at, data } };
    } catch (error) {
      news = { at: Date.now(), waitUntil: Date.now() + 1000 * (error.retryAfterSeconds ?? 0) };
      warn(error, this.base);
    }
    write(`${this.key}?`, { ...this.cache, ...news });
    this.tell();
  }
}

export class WhatsNew extends (globalThis.HTMLElement ?? Object) {
  static observedAttributes = ATTRIBUTES;

  #store;
  #isQueued;
  #mode;
  #observer;
  #inline;
  #anchor;
  #slot;
  #button;
  #badge;
  #panel;
  #box;
  /** The link or button that opens the panel, and what it was called before. */
  #trigger;
  #label;
  #seen = [];
  #texts;
  #ids = [];
  #isInView;
  #wasOpen;

  constructor() {
    super();
    sheet ??= new CSSStyleSheet();
    if (!sheet.cssRules.length) sheet.replaceSync(CSS);
    const root = this.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [sheet];
    this.#slot = element('slot');
    this.#button = element('button', 'trigger', { type: 'button' });
    this.#badge = element('span', 'badge', { hidden: true, ariaHidden: 'true' });
    this.#anchor = element('span', '', { className: 'anchor' }, this.#slot, this.#button, this.#badge);
    root.append(this.#anchor);
    this.addEventListener('click', (event) => this.#click(event));
    this.addEventListener('pointerdown', () => {
      this.#wasOpen = this.#isOpen;
    });
    this.#observer = new MutationObserver(() => this.#queue());
  }

  get unread() {
    return this.#ids.length;
  }

  get seen() {
    return [...new Set([...(this.#store?.seen ?? []), ...this.#seen])];
  }

  set seen(ids) {
    this.#seen = [...(ids ?? [])];
    this.#queue();
  }

  get texts() {
    return { ...TEXTS, ...this.#texts };
  }

  set texts(texts) {
    this.#texts = texts;
    this.#mode = undefined;
    this.#queue();
  }

  get first() {
    return this.hasAttribute('first');
  }

  set first(first) {
    this.toggleAttribute('first', !!first);
  }

  get #isOpen() {
    return !!this.#panel?.matches(':popover-open,:modal');
  }

  open() {
    if (this.#isOpen || !this.#store || !this.#panel?.showModal) return;
    this.#panel[this.#mode === 'modal' ? 'showModal' : 'showPopover']();
    this.#opened(true);
    this.#show();
  }

  close() {
    if (!this.#isOpen) return;
    this.#panel[this.#mode === 'modal' ? 'close' : 'hidePopover']();
  }

  connectedCallback() {
    for (const name of PROPERTIES) {
      if (!Object.hasOwn(this, name)) continue;
      const value = this[name];
      delete this[name];
      this[name] = value;
    }
    this.#observer.observe(this, { childList: true, characterData: true, subtree: true });
    this.#queue();
  }

  disconnectedCallback() {
    this.#observer.disconnect();
    this.#inline?.disconnect();
    this.#leave();
    this.#setTrigger();
    this.#panel?.remove();
    this.#mode = undefined;
  }

  attributeChangedCallback(name, _, value) {
    if (name === 'seen') this.seen = value?.split(/[\s,]+/);
    else if (name === 'texts') this.texts = parsed(value);
    else this.#queue();
  }

  /** Several attributes often change at once. */
  #queue() {
    if (this.#isQueued) return;
    this.#isQueued = true;
    queueMicrotask(() => {
      this.#isQueued = false;
      if (this.isConnected) this.#start();
    });
  }

  #start() {
    this.#join();
    const mode = this.mode === 'modal' || this.mode === 'inline' ? this.mode : 'popover';
    if (mode !== this.#mode) this.#build(mode);
    const isInline = mode === 'inline';
    const given = this.firstElementChild;
    this.#slot.hidden = isInline || !given;
    this.#button.hidden = isInline || !!given;
    this.#button.textContent = this.textContent.trim() || this.texts.heading;
    this.#setTrigger(isInline ? null : given ? (this.querySelector('a,button') ?? given) : this.#button);
    this.#update();
    this.#look();
  }

  #join() {
    const { team, product } = this;
    let base;
    try {
      base = new URL(this.baseUrl || new URL('.', HERE), document.baseURI).href.replace(/\/+$/, '');
    } catch {}
    const key =
      base && team && product && `whats-new:${base.replace(/^https?:\/\//, '//')}/${team}/${product}`;
    if (key === this.#store?.key) return;
    this.#leave();
    if (!key) return;
    if (!stores.size) listen(addEventListener);
    if (!stores.has(key)) stores.set(key, new Store(key, base, team, product));
    this.#store = stores.get(key);
    this.#store.listeners.add(this.#listener);
  }

  #listener = (isTime) => (isTime ? this.#look() : this.#update());

  #leave() {
    const { key, listeners } = this.#store ?? {};
    this.#store = undefined;
    if (!listeners?.delete(this.#listener) || listeners.size) return;
    stores.delete(key);
    if (!stores.size) listen(removeEventListener);
  }

  #build(mode) {
    const { heading, close } = this.texts;
    const isInline = mode === 'inline';
    this.#mode = mode;
    this.#panel?.remove();
    this.#inline?.disconnect();
    const header = element('div', 'header', {}, element('h2', 'heading', {}, heading));
    this.#box = element('div', '', { className: 'box' }, header);
    this.#panel = element(isInline ? 'section' : 'dialog', 'panel', { ariaLabel: heading }, this.#box);
    this.shadowRoot.append(this.#panel);
    if (isInline) {
      this.#inline = new IntersectionObserver(([{ isIntersecting }]) => {
        this.#isInView = isIntersecting;
        this.#look();
      });
      this.#inline.observe(this.#panel);
      return;
    }
    const button = element('button', 'close', { type: 'button', ariaLabel: close }, '✕');
    button.onclick = () => this.close();
    header.append(button);
    if (mode === 'popover') this.#panel.popover = 'auto';
    else this.#panel.setAttribute('closedby', 'any');
    Object.assign(this.#panel, { tabIndex: -1, autofocus: true });
    this.#panel.ontoggle = this.#panel.onclose = () => this.#isOpen || this.#opened(false);
  }

  #opened(isOpen) {
    if (this.#trigger?.ariaExpanded === String(isOpen)) return;
    if (this.#trigger) this.#trigger.ariaExpanded = isOpen;
    this.#emit(isOpen ? 'open' : 'close');
  }

  #setTrigger(trigger) {
    if (trigger === this.#trigger) return;
    if (this.#trigger) {
      this.#trigger.ariaLabel = this.#label;
      this.#trigger.ariaExpanded = this.#trigger.ariaHasPopup = null;
    }
    this.#trigger = trigger;
    this.#label = trigger?.ariaLabel;
    if (trigger) Object.assign(trigger, { ariaHasPopup: 'dialog', ariaExpanded: this.#isOpen });
  }

  /** Where a link would open elsewhere, it still does. */
  #click(event) {
    const { button, metaKey, ctrlKey, shiftKey, altKey, defaultPrevented, detail } = event;
    if (!this.#store || button || metaKey || ctrlKey || shiftKey || altKey || defaultPrevented) return;
    if (!event.composedPath().includes(this.#trigger)) return;
    event.preventDefault();
    // A press outside the popover has closed it by now.
    if (detail ? this.#wasOpen : this.#isOpen) return this.close();
    // Not every browser focuses a link on click; focus returns to what has it now.
    this.#trigger.focus({ preventScroll: true });
    this.open();
  }

  #look() {
    if (this.#mode !== 'inline') this.#store?.look();
    else if (this.#isInView && !document.hidden) this.#show();
  }

  get #versions() {
    const { version, to } = this;
    return {
      from: orderOf(version) ? version : undefined,
      to: orderOf(to) ? to : undefined,
    };
  }

  /** Those that are not newer than `to`. */
  #known() {
    const { to } = this.#versions;
    return (this.#store?.cache.list ?? []).filter(([, label]) => !to || !isNewer(label, to));
  }

  #update() {
    const store = this.#store;
    const { from } = this.#versions;
    const known = this.#known();
    const counted = known.filter(([, label]) => !from || isNewer(label, from)).map(([id]) => id);
    if (store?.cache.list && !store.seen) {
      const hidden = this.#seen.length ? known.filter(([id]) => !this.#seen.includes(id)) : [];
      const unseen = this.#seen.length ? hidden.map(([id]) => id) : this.first ? counted.slice(0, 1) : [];
      write(
        store.key,
        known.map(([id]) => id).filter((id) => !unseen.includes(id)),
      );
    }
    const { seen } = this;
    // What is older than all that was seen is not new: it moved up when a newer one was withdrawn.
    const last = known.findLastIndex(([id]) => seen.includes(id));
    const ids = known
      .filter(([id], index) => counted.includes(id) && !seen.includes(id) && (last < 0 || index < last))
      .map(([id]) => id);
    const hasChanged = String(ids) !== String(this.#ids);
    this.#ids = ids;
    const count = ids.length > 9 ? '9+' : ids.length;
    this.#badge.hidden = !ids.length || this.#mode === 'inline';
    this.#badge.textContent = count;
    const trigger = this.#trigger;
    if (trigger) {
      const name = this.#label || trigger.textContent.trim() || this.texts.heading;
      trigger.ariaLabel = ids.length ? `${name}, ${this.texts.unread.replace('{}', count)}` : this.#label;
    }
    if (hasChanged) this.#emit('unreadchange', { count: ids.length, ids });
  }

  async #show() {
    const store = this.#store;
    const box = this.#box;
    if (!store) return;
    const { from, to } = this.#versions;
    const { texts } = this;
    const page = `${store.base}/changelog/${this.team}/${this.product}`;
    const put = (status, ...content) => {
      while (box.children[1]) box.lastChild.remove();
      box.append(element('p', 'status', { role: 'status' }, status), ...content);
    };
    if (!box.children[1]) put(texts.loading);
    const data = await store.content(from, to);
    if (store !== this.#store || box !== this.#box) return;
    const query = from ? `/changes?${new URLSearchParams({ from, ...(to && { to }) })}` : '';
    const more = link(page + query, texts.more, 'more');
    if (!data) return put(texts.failed, more);
    const { versions = [], groups = [] } = data;
    const context = { texts, page, language: this.closest('[lang]')?.lang };
    const isEmpty = !versions.length && !groups.length;
    put(
      isEmpty ? texts.empty : from ? texts.since.replace('{}', from) : '',
      ...versions.map((version) => versionElement(version, context)),
      ...groups.map(({ type, changes }) =>
        element('section', 'version', {}, ...group(type, changes, context)),
      ),
      more,
    );
    const shown = groups.flatMap(({ changes }) => changes.map(({ versionId }) => versionId));
    store.addSeen([...this.#known().map(([id]) => id), ...versions.map(({ id }) => id), ...shown]);
  }

  #emit(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }
}

const HERE = import.meta.url;
const PROPERTIES = ATTRIBUTES.map((name) => name.replace('-u', 'U'));
for (const [index, name] of PROPERTIES.entries()) {
  if (name in WhatsNew.prototype) continue;
  Object.defineProperty(WhatsNew.prototype, name, {
    configurable: true,
    enumerable: true,
    get() {
      return this.getAttribute(ATTRIBUTES[index]) ?? '';
    },
    set(value) {
      if (value == null) this.removeAttribute(ATTRIBUTES[index]);
      else this.setAttribute(ATTRIBUTES[index], value);
    },
  });
}

export function define(name = 'whats-new') {
  const { customElements } = globalThis;
  if (!customElements || customElements.get(name)) return;
  customElements.define(name, name === 'whats-new' ? WhatsNew : class extends WhatsNew {});
}

function listen(change) {
  change('storage', onStorage);
  change('focus', onTime);
  document[change.name]('visibilitychange', onTime);
}

function onStorage({ key }) {
  for (const store of stores.values()) if (!key || key.startsWith(store.key)) store.tell();
}

function onTime() {
  for (const store of stores.values()) store.tell(true);
}

const isRecent = (at) => Math.abs(Date.now() - at) < QUIET_MS;

function read(key) {
  try {
    return memory.get(key) ?? parsed(localStorage.getItem(key));
  } catch {
    return null;
  }
}

function write(key, value) {
  try {
    const text = JSON.stringify(value);
    if (text.length > STORED_CHARACTERS_MAX) throw 0;
    localStorage.setItem(key, text);
    memory.delete(key);
  } catch {
    memory.set(key, value);
  }
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** A browser does not tell why it could not read, and most often this is why. */
function warn({ code, status }, base) {
  if (hasWarned || (code !== 'network_error' && status !== 401)) return;
  hasWarned = true;
  console.warn(
    `whats-new: ${base} cannot be read from here. If it is protected by a password (PASSWORD_PROTECTION), the widget works only on pages of the same origin.`,
  );
}

/** A text that sorts like the version; undefined if the label is not a version. */
function orderOf(label) {
  const [, numbers, rest = '~'] = /^v?(\d[\d.]*)(-[^+]*)?/i.exec(label) ?? [];
  if (!numbers) return;
  const all = [...numbers.split('.'), 0, 0].slice(0, 3).join('.');
  return (all + rest).replace(/\b\d+\b/g, (digits) => digits.padStart(9, 0));
}

const isNewer = (one, other) => orderOf(one) > orderOf(other);

function element(tag, part, properties, ...children) {
  const node = Object.assign(document.createElement(tag), properties);
  if (part) node.part = part;
  node.append(...children);
  return node;
}

const link = (href, content, part) =>
  element('a', part, { href, target: '_blank', rel: 'noopener' }, content);

function versionElement({ id, version, title, publishedAt, yanked, changes }, context) {
  const { texts, page, language } = context;
  const isOnlyLabel = !title || title.replace(/^v/i, '') === version.replace(/^v/i, '');
  const meta = element('p', 'meta', {}, ...(isOnlyLabel ? [] : [element('b', '', { dir: 'auto' }, version)]));
  if (publishedAt) meta.append(element('time', '', { dateTime: publishedAt }, dateOf(publishedAt, language)));
  if (yanked) meta.append(' ', element('span', 'tag yanked', {}, texts.yanked));
  const heading = element('h3', 'title', { dir: 'auto' }, link(`${page}/versions/${id}`, title || version));
  const groups = TYPES.map((type) => [type, changes.filter((change) => change.type === type)]);
  return element(
    'section',
    'version',
    {},
    meta,
    heading,
    ...groups.filter(([, { length }]) => length).flatMap(([type, some]) => group(type, some, context)),
  );
}

function dateOf(time, language) {
  const options = { dateStyle: 'medium', timeZone: 'UTC' };
  try {
    return new Date(time).toLocaleDateString(language || undefined, options);
  } catch {
    return time.slice(0, 10);
  }
}

function group(type, changes, { texts }) {
  const items = changes.map(({ html, text, breaking, version }) => {
    const item = element('li', 'change', { dir: 'auto' });
    if (breaking) item.append(element('span', 'tag breaking', {}, texts.breaking), ' ');
    item.append(authored(html, text));
    if (version) item.append(element('span', 'meta', {}, version));
    return item;
  });
  const name = element('span', `tag ${type}`, {}, texts[type] ?? type);
  return [element('h4', '', {}, name), element('ul', 'changes', {}, ...items)];
}

/** The HTML of a change, without images, and with links to whole URLs only; as text if the page allows no HTML. */
function authored(html, text) {
  const box = element('div');
  if (box.setHTML) box.setHTML(html);
  else
    try {
      policy ??= (globalThis.trustedTypes ?? { createPolicy: (_, rules) => rules }).createPolicy(
        'whats-new',
        {
          createHTML: (trusted) => trusted,
        },
      );
      const template = element('template');
      template.innerHTML = policy.createHTML(html);
      for (const node of template.content.querySelectorAll('*')) {
        if (
          !/^(A|P|BR|HR|BLOCKQUOTE|PRE|CODE|EM|STRONG|S|[OU]L|LI|H\d|TABLE|T[HRD]|THEAD|TBODY)$/.test(
            node.nodeName,
          )
        )
          node.remove();
        for (const { name } of [...node.attributes]) if (name !== 'href') node.removeAttribute(name);
      }
      box.append(template.content);
    } catch {
      box.textContent = text;
    }
  for (const a of box.querySelectorAll('a'))
    if (/^(https?|mailto):/i.test(a.getAttribute('href')))
      Object.assign(a, { target: '_blank', rel: 'noopener' });
    else a.removeAttribute('href');
  return box;
}

define();
