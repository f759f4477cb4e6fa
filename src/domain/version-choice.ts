// Which versions of a changelog file a command means, by the rules by which the service finds them (R31, R33).
import { nearest } from './nearest.ts';
import { LATEST, otherLabel } from './version-names.ts';
import { isPrerelease, versionOrder } from './version-order.ts';

export const UNRELEASED = 'unreleased';

/** `isDraft` says that the file calls it unreleased: a version without a date may be a release all the same. */
export type ListedVersion = Readonly<{
  label: string;
  publishedAt: string | null;
  isDraft: boolean;
  yanked: boolean;
}>;

/** Newest first, drafts before all others; `isOne` if one version was named. */
export type Choice<T> = Readonly<{ versions: readonly T[]; isOne: boolean }>;

/** `name` is a label, `latest` or `unreleased`. Undefined if there is none. */
export function chooseVersions<T extends ListedVersion>(
  listed: readonly T[],
  name: string,
): Choice<T> | undefined {
  const drafts = listed.filter(({ isDraft }) => isDraft);
  if (name === UNRELEASED && drafts.length > 0) return { versions: drafts, isOne: drafts.length === 1 };
  const version = name === LATEST ? findLatest(listed) : findLabelled(listed, name);
  if (version !== undefined) return { versions: [version], isOne: true };
  return name !== UNRELEASED && name.toLowerCase() === UNRELEASED
    ? chooseVersions(listed, UNRELEASED)
    : undefined;
}

/** The highest release that is not a prerelease, or else the newest one. A yanked one only if all are. */
export function findLatest<T extends ListedVersion>(listed: readonly T[]): T | undefined {
  const all = listed.filter(({ isDraft }) => !isDraft);
  const kept = all.filter(({ yanked }) => !yanked);
  const released = newestFirst(kept.length > 0 ? kept : all);
  const stable = released.filter(({ label }) => versionOrder(label) !== null && !isPrerelease(label));
  return highestFirst(stable)[0] ?? released[0];
}

/** An exact label takes precedence over one with or without a leading `v`. */
function findLabelled<T extends ListedVersion>(listed: readonly T[], name: string): T | undefined {
  return listed.find(({ label }) => label === name) ?? listed.find(({ label }) => label === otherLabel(name));
}

/**
 * The versions after `from`, up to and including the chosen ones. In the order of semantic versions, `from` need not
 * exist. Other labels have only their place in the file. Undefined if that is unknown.
 */
export function chooseRange<T extends ListedVersion>(
  listed: readonly T[],
  from: string,
  { versions: chosen }: Choice<T>,
): Choice<T> | undefined {
  const drafts = chosen.filter(({ isDraft }) => isDraft);
  const released = newestFirst(listed.filter(({ isDraft }) => !isDraft));
  const to = chosen.length === 1 ? chosen[0] : undefined;
  const [after, upTo] = [versionOrder(from), versionOrder(to?.label ?? '')];
  if (after !== null && (upTo !== null || drafts.length > 0)) {
    const within = released.filter(({ label }) => {
      const order = versionOrder(label);
      return order !== null && order > after && (upTo === null || order <= upTo);
    });
    return { versions: [...drafts, ...within], isOne: false };
  }
  const first = findLabelled(released, from);
  if (first === undefined) return undefined;
  const start = drafts.length > 0 || to === undefined ? 0 : released.indexOf(to);
  return { versions: [...drafts, ...released.slice(start, released.indexOf(first))], isOne: false };
}

/** By date if all have one, or else by number; otherwise as listed. */
function newestFirst<T extends ListedVersion>(listed: readonly T[]): readonly T[] {
  if (listed.some(({ publishedAt }) => publishedAt === null))
    return listed.some(({ label }) => versionOrder(label) === null) ? listed : highestFirst(listed);
  return listed.toSorted((a, b) => compare(b.publishedAt ?? '', a.publishedAt ?? ''));
}

/** Versions without an order are last. */
export function highestFirst<T extends Pick<ListedVersion, 'label'>>(listed: readonly T[]): readonly T[] {
  return listed.toSorted((a, b) => compare(versionOrder(b.label) ?? '', versionOrder(a.label) ?? ''));
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

const SUGGESTIONS_MAX = 3;

/** The labels that were probably meant: the same number, the next higher and lower ones, and one spelled alike. */
export function nearestLabels(listed: readonly ListedVersion[], name: string): string[] {
  const labels = newestFirst(listed).map(({ label }) => label);
  const order = versionOrder(name) ?? '';
  const orders = highestFirst(listed).map(({ label }) => ({ label, own: versionOrder(label) ?? '' }));
  const numbered = order === '' ? [] : orders.filter(({ own }) => own !== '');
  const near = [
    ...numbered.filter(({ own }) => own === order),
    numbered.findLast(({ own }) => own > order),
    numbered.find(({ own }) => own < order),
  ].flatMap((found) => found?.label ?? []);
  const found = new Set([...near, nearest(name, labels) ?? []].flat());
  return [...(found.size > 0 ? found : labels)].slice(0, SUGGESTIONS_MAX);
}
