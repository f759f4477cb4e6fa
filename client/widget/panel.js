// The trigger, its badge and the panel of one element.
import { sectionsOf } from './content.js';
import { element, link } from './elements.js';
import { load, placeOf } from './requests.js';
import { NEWS } from './storage.js';
import { styles } from './style.js';
import { LANGUAGE } from './texts.js';
import { listedAt, noteFirstVisit, noteShown, unreadAt } from './unread.js';

export function attachPanel(host, scriptUrl) {
  const slot = element('slot', '');
  const button = element('button', 'trigger');
  const badge = element('span', 'badge', { ariaHidden: true });
  const root = host.attachShadow({ mode: 'open' });
  // A box of no size at the corner of the trigger. It keeps the badge from making anything scroll.
  const corner = element('span', '', {}, badge);
  root.append(element('span', 'anchor', {}, slot, button, corner));
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
    if (!place.key || !event.composedPath().includes(trigger)) return;
    // With one of these, a link opens elsewhere.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    if (event.defaultPrevented) return;
    event.preventDefault();
    // The press has closed a popover by now.
    const isToClose = (event.detail ? wasOpen : undefined) ?? isOpen();
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
    // Frameworks may set attributes a little later.
    queueMicrotask(() => {
      if (!host.static && !host.team) console.warn('whats-new: team is required.');
    });
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
    if (/^[fv]/.test(type)) look();
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
    place = placeOf(host, scriptUrl);
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
    if (LANGUAGE) Object.assign(panel, LANGUAGE);
    root.append(panel);
    if (isInline()) return view.observe(panel);
    header.append(element('button', 'close', { ariaLabel: texts.close, onclick: close }, '✕'));
    const onclose = () => isOpen() || tell(false);
    // Not every browser does it by itself for a popover in a shadow root.
    panel.onbeforetoggle = ({ newState }) => {
      if (newState === 'closed' && root.activeElement) back?.focus({ preventScroll: true });
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
    // Browsers focus the close button, which would be read before the heading, and scroll the page to it.
    panel.inert = true;
    if (panel.popover) panel.showPopover();
    else panel.showModal();
    panel.inert = false;
    panel.focus({ preventScroll: true });
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

  function count() {
    noteFirstVisit(place, host);
    const unread = unreadAt(place, host);
    const number = unread[9] ? '9+' : unread.length;
    badge.hidden = !unread[0];
    badge.textContent = number;
    if (trigger) {
      const { texts } = host;
      const name = label || trigger.textContent.trim() || texts.heading;
      trigger.ariaLabel = unread[0] ? `${name}, ${texts.unread.replace('{}', number)}` : label;
    }
    if (`${unread}` === `${ids}`) return;
    ids = unread;
    // Frameworks add the element before they are ready for their own events.
    queueMicrotask(() => emit('unreadchange', { count: unread.length, ids: unread }));
  }

  async function show() {
    const { texts } = host;
    const asked = place;
    const { isStatic, range } = asked;
    if (!shownAt) fill(texts.loading);
    const { at, data, page = asked.page } = (await load(asked, range)) ?? {};
    // Another place: the attributes have changed, and what they ask for now is shown by another call.
    if (asked !== place || !host.isConnected) return;
    // Not if there were too many changes since that version: then it shows the newest versions.
    const since = data?.groups ? range.from : '';
    const path = since && '/changes';
    const more = link(page + (isStatic ? '/' : `${path}?${new URLSearchParams(range)}`), texts.more, 'more');
    try {
      // A static site has the same list for all.
      const versions = data.versions.filter(({ id }) => !isStatic || listedAt(asked).includes(id));
      if (at !== shownAt) {
        const { lang } = LANGUAGE ?? host.closest('[lang]') ?? document.documentElement;
        const sections = sectionsOf({ ...data, versions }, { ...asked, texts, page, lang });
        fill(sections[0] ? since && texts.since.replace('{}', since) : texts.empty, ...sections, more);
        shownAt = at;
      }
      noteShown(
        asked,
        versions.map(({ id }) => id),
      );
    } catch {
      // No response, or not one of the service.
      fill(texts.failed, more);
    }
  }

  function fill(text, ...parts) {
    while (content.lastChild !== status) content.lastChild.remove();
    status.textContent = text;
    content.append(...parts);
  }

  return { connect, disconnect, change, open, close, unread: () => ids.length };
}
