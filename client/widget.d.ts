/** The attributes of `<whats-new>`; each is a property too. */
export interface WhatsNewAttributes {
  /** The slug of the team. */
  team?: string | undefined;
  /** The slug of the product. Without it: all products of the team. */
  product?: string | undefined;
  /** The version that the visitor runs: shows all changes after it. Ignored without a product. */
  version?: string | undefined;
  /** Show nothing newer than this version. Ignored without a product. */
  to?: string | undefined;
  /** Default: `popover`. */
  mode?: WhatsNewMode | undefined;
  /** The URL of the service. Default: where `widget.js` was loaded from. */
  'base-url'?: string | undefined;
  /** The URL is that of a product's folder on a static site; `team` and `product` are not needed. */
  static?: boolean | undefined;
  /** On a first visit, count the newest version as unread. */
  first?: boolean | undefined;
}

export type WhatsNewMode = 'popover' | 'modal' | 'inline';

/** Texts of the element's own; `{}` in `unread` and `since` stands for the number and the version. */
export interface WhatsNewTexts {
  heading: string;
  close: string;
  unread: string;
  since: string;
  more: string;
  readMore: string;
  loading: string;
  empty: string;
  failed: string;
  breaking: string;
  yanked: string;
  added: string;
  changed: string;
  deprecated: string;
  removed: string;
  fixed: string;
  security: string;
  other: string;
}

export interface UnreadChange {
  count: number;
  /** Ids of versions, newest first. */
  ids: string[];
}

export interface WhatsNewEventMap {
  unreadchange: CustomEvent<UnreadChange>;
  open: CustomEvent<null>;
  close: CustomEvent<null>;
}

export declare class WhatsNew extends HTMLElement {
  team: string;
  product: string;
  version: string;
  to: string;
  mode: WhatsNewMode | '';
  baseUrl: string;
  static: boolean;
  first: boolean;
  /** Ids of versions that the visitor has seen. Set those that other devices have shown; as an attribute, separated by spaces. */
  get seen(): string[];
  set seen(ids: Iterable<string> | null | undefined);
  /** Set those that you want in other words; as an attribute, as JSON. */
  get texts(): WhatsNewTexts;
  set texts(texts: Partial<WhatsNewTexts> | null | undefined);
  /** The number of versions that the visitor has not seen. */
  readonly unread: number;

  open(): void;
  close(): void;

  addEventListener<K extends keyof WhatsNewEventMap>(
    type: K,
    listener: (this: WhatsNew, event: WhatsNewEventMap[K]) => void,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
  removeEventListener<K extends keyof WhatsNewEventMap>(
    type: K,
    listener: (this: WhatsNew, event: WhatsNewEventMap[K]) => void,
    options?: boolean | EventListenerOptions,
  ): void;
  removeEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | EventListenerOptions,
  ): void;
}

/** Importing this module defines `whats-new`; this defines the element under another name too. Without a DOM or popovers, nothing happens. */
export declare function define(name?: string): void;

/** What JSX accepts, besides what every element has. */
export interface WhatsNewProps extends WhatsNewAttributes {
  baseUrl?: string | undefined;
  seen?: string | readonly string[] | undefined;
  texts?: string | Partial<WhatsNewTexts> | undefined;
  onunreadchange?: ((event: WhatsNewEventMap['unreadchange']) => void) | undefined;
  onopen?: ((event: WhatsNewEventMap['open']) => void) | undefined;
  onclose?: ((event: WhatsNewEventMap['close']) => void) | undefined;
}

declare global {
  interface HTMLElementTagNameMap {
    'whats-new': WhatsNew;
  }
}

// React may not be installed. Where it is, this holds; where it is not, it is ignored.
// @ts-ignore
declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      // @ts-ignore
      'whats-new': DetailedHTMLProps<WhatsNewProps & HTMLAttributes<WhatsNew>, WhatsNew>;
    }
  }
}
