// `<whats-new>`: tells visitors of a page what is new in a product, and how much of it they have not seen yet.
//
//   <whats-new team="acme" product="rocket"><a href="https://changes.example.com/changelog/acme/rocket">What's new</a></whats-new>
//
// Attributes: `team`, `product`: without a product, all of the team; `version`: what the visitor runs, shows all changes
// after it; `to`: shows nothing newer than this version; `mode`: `popover`, `modal` or `inline`; `base-url`: the URL of the
// service, by default where this file was loaded from; `static`: that is the folder of a product on a static site, without
// `team` and `product`; `first`: on a first visit, the newest version is unread; `seen`: ids of versions that the visitor
// has seen elsewhere, separated by spaces; `texts`: other words for some of those in `widget/texts.js`, as JSON. Each is a
// property too: `baseUrl`; `seen` is an array, `texts` an object.
// Element: `unread` (a number), `open()`, `close()`.
// Events, which bubble: `unreadchange` (`detail: { count, ids }`), `open`, `close`.
// Parts: `::part(anchor)`, `::part(trigger)`, `::part(badge)`, `::part(panel)`, `::part(content)`, `::part(header)`,
// `::part(heading)`, `::part(close)`, `::part(status)`, `::part(version)`, `::part(title)`, `::part(meta)`,
// `::part(label)`, `::part(image)`, `::part(description)`, `::part(unfold)`, `::part(tag)`, `::part(changes)`,
// `::part(change)`, `::part(more)`. A tag is also a part by its kind: `::part(breaking)`, `::part(yanked)`,
// `::part(added)` and so on.
// Custom properties: `--whats-new-accent`, `--whats-new-background`, `--whats-new-text`, `--whats-new-badge`,
// `--whats-new-font`, `--whats-new-width`, `--whats-new-height`, `--whats-new-radius`. Dark or light: as `color-scheme` is.
//
// Unread are those of the newest 10 versions that this browser has not shown. A first visit only takes note of them. With
// `version`, only versions after it count; with `to`, only versions up to it.
// It sends at most one request in 15 minutes, for all tabs together: when it is added to a visible page, and when the page
// becomes visible or gets focus. Opening it sends another only if what it has is older than that, or has no changes.

import { attachPanel } from './widget/panel.js';
import { placeOf } from './widget/requests.js';
import { parsed } from './widget/storage.js';
import { IS_STATIC, TEXTS } from './widget/texts.js';
import { seenBy } from './widget/unread.js';

const ATTRIBUTES = [
  'team',
  'product',
  'version',
  'to',
  'mode',
  'base-url',
  'static',
  'first',
  'seen',
  'texts',
];

export class WhatsNew extends (globalThis.HTMLElement ?? Object) {
  static observedAttributes = ATTRIBUTES;
  #panel;

  constructor() {
    super();
    this.#panel = attachPanel(this, SCRIPT_URL);
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
      if (Object.hasOwn(this, name)) {
        const value = this[name];
        delete this[name];
        this[name] = value;
      }
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
const SCRIPT_URL = import.meta.url;
const PROPERTIES = ATTRIBUTES.map((attribute) => {
  const name = attribute.replace('-u', 'U');
  Object.defineProperty(WhatsNew.prototype, name, {
    get() {
      const value = this.getAttribute(attribute);
      if (IS_STATIC && name === 'static' && !this.team) return true;
      if (name === 'first' || name === 'static') return value != null;
      if (name === 'texts') return { ...TEXTS, ...parsed(value) };
      if (name === 'seen') return seenBy(placeOf(this, SCRIPT_URL), this);
      return value ?? '';
    },
    set(value) {
      if (value == null || value === false) this.removeAttribute(attribute);
      else this.setAttribute(attribute, textOf(value));
    },
  });
  return name;
});

/** Ids may be in any iterable, such as a Set. */
function textOf(value) {
  if (value === true) return '';
  if (typeof value !== 'object') return value;
  return JSON.stringify(value[Symbol.iterator] ? [...value] : value);
}

export function define(name = 'whats-new') {
  // On a server there is nothing to do, and in old browsers without all that it needs, the link stays a link.
  const isCapable =
    globalThis.CSS?.supports('color:light-dark(red,red)') && 'popover' in HTMLElement.prototype;
  if (isCapable && !customElements.get(name))
    customElements.define(name, name === 'whats-new' ? WhatsNew : class extends WhatsNew {});
}

define();
