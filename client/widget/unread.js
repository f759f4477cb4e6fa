// What is unread. By ids, not by dates: a version may be published with an earlier date than one that was seen.
import { cacheOf } from './requests.js';
import { read, write } from './storage.js';
import { orderOf } from './version-order.js';

const SEEN_MAX = 50;

/** Ids of the listed versions that this browser has not shown, newest first: after `version`, up to `to`. */
export function unreadAt(place, host) {
  const all = listedAt(place, '');
  const seen = seenBy(place, host);
  // What is older than all that was seen is not new: it moved up when another was withdrawn.
  const end = all.findLastIndex((id) => seen.includes(id));
  return listedAt(place).filter((id) => !seen.includes(id) && (end < 0 || all.indexOf(id) < end));
}

/** The first list that a browser gets is not news, except for the newest version with `first`, or what `seen` does not name. */
export function noteFirstVisit(place, host) {
  if (!cacheOf(place).list || seenAt(place)) return;
  const given = givenIds(host);
  const [newest] = listedAt(place);
  const isSeen = (id) => (given[0] ? given.includes(id) : !host.first || id !== newest);
  see(place, listedAt(place, '').filter(isSeen));
}

/** A first visit ends with a list: changes since a version do not have the versions before it. */
export function noteShown(place, ids) {
  if (seenAt(place)) see(place, [...listedAt(place, ''), ...ids]);
}

/** By this browser, and elsewhere as the host knows. */
export const seenBy = (place, host) => [...new Set([...(seenAt(place) ?? []), ...givenIds(host)])];

const givenIds = (host) => host.getAttribute('seen')?.match(/[\w.~-]+/g) ?? [];

/** Ids of the listed versions after `version`, or all with an empty one, up to `to`. */
export function listedAt(place, version = place.range.from) {
  const [from, last] = [version, place.range.to].map(orderOf);
  return (cacheOf(place).list ?? [])
    .filter(([, order]) => !(order > last) && (!from || order > from))
    .map(([id]) => id);
}

/** Undefined before the first visit. */
const seenAt = ({ key }) => [read(key)].find(Array.isArray);

/** The last ones are forgotten first. */
function see(place, ids) {
  const before = seenAt(place);
  const seen = [...new Set([...ids, ...(before ?? [])])].slice(0, SEEN_MAX);
  if (`${seen}` !== `${before}`) write(place.key, seen);
}
