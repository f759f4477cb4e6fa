// What the browser keeps for the next page and the other tabs.

/** The storage belongs to the host, and has room for 5 million characters. */
const STORED_CHARACTERS_MAX = 200_000;
/** An event of the window. */
export const NEWS = 'whats-new';

/** What the storage refused to keep. */
const memory = {};

export function read(key) {
  try {
    return memory[key] ?? JSON.parse(localStorage[key]);
  } catch {
    return null;
  }
}

/** Tells the elements of this page; the storage tells those of other tabs. */
export function write(key, value) {
  memory[key] = value;
  try {
    const text = JSON.stringify(value);
    if (text.length < STORED_CHARACTERS_MAX) {
      localStorage[key] = text;
      delete memory[key];
    }
  } catch {}
  dispatchEvent(new Event(NEWS));
}

export function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
