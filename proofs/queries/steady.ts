// Permanent versions, and the filters with the versions that each must find.

export const WORDS = ['comet', 'rocket', 'Éclair', '機能'] as const;
export const LABELS = ['0', '1.5', '9', '1.5.0-rc'] as const;

type Steady = Readonly<{
  id: string;
  version: string;
  title: string;
  status: 'published' | 'draft';
  publishedAt?: string;
  changes: readonly Readonly<{ type: string; text: string }>[];
}>;

const PUBLISHED = 60;
const DRAFTS = 5;
const SAME_MOMENT = 3;

/** Pairs of timestamps that are one millisecond apart. */
export const TIMESTAMPS: readonly string[] = Array.from({ length: PUBLISHED / SAME_MOMENT }, (_, index) =>
  new Date(Date.UTC(2026, 0, 1 + (index >> 1), 9, 0, 0, index % 2)).toISOString(),
);

const published = Array.from(
  { length: PUBLISHED },
  (_, index): Steady => ({
    id: `ver_s_${String(index).padStart(2, '0')}`,
    version: `1.${index}.0${index % 7 === 0 ? '-rc.1' : ''}`,
    title: index % 3 === 0 ? `A ${WORDS[0]}` : `The ${WORDS[1]}, ${WORDS[3]}`,
    status: 'published',
    publishedAt: TIMESTAMPS[Math.floor(index / SAME_MOMENT)] as string,
    changes: [{ type: index % 2 === 0 ? 'added' : 'fixed', text: index % 5 === 0 ? WORDS[2] : 'Steady.' }],
  }),
);
const drafts = Array.from(
  { length: DRAFTS },
  (_, index): Steady => ({
    id: `ver_s_draft${index}`,
    version: `3.${index}.0`,
    title: `A ${WORDS[0]}`,
    status: 'draft',
    changes: [{ type: 'added', text: 'Steady.' }],
  }),
);

/** In the order of R12: the newest draft first, as in a document. */
export const STEADY_VERSIONS: readonly Steady[] = [
  ...drafts,
  ...published.toSorted(
    (one, other) =>
      (other.publishedAt as string).localeCompare(one.publishedAt as string) || (one.id < other.id ? -1 : 1),
  ),
];

export type Filter = Readonly<{ query: string; passes: (version: Steady, number: number) => boolean }>;

const numberOf = ({ version }: Steady) => Number(version.split('.')[1]);
const has = (word: string) => (version: Steady) => JSON.stringify(version).includes(word);
const isDated = ({ publishedAt }: Steady) => publishedAt !== undefined;

/** One filter for each access path, and some combinations. */
export const FILTERS: readonly Filter[] = [
  { query: '', passes: () => true },
  { query: 'include=changes', passes: () => true },
  { query: 'type=added', passes: has('"added"') },
  { query: 'q=COMET', passes: has('comet') },
  { query: `q=${encodeURIComponent('機能 rocket')}`, passes: has('機能') },
  { query: `q=${encodeURIComponent('機')}`, passes: has('機能') },
  {
    query: `q=${encodeURIComponent('éclair')}&type=added&type=security`,
    passes: (version) => has('Éclair')(version) && has('"added"')(version),
  },
  { query: 'prerelease=false', passes: (version) => !has('-rc')(version) },
  {
    query: `since=${TIMESTAMPS[5]}&until=${TIMESTAMPS[14]}`,
    passes: (version) =>
      isDated(version) &&
      String(version.publishedAt) >= String(TIMESTAMPS[5]) &&
      String(version.publishedAt) <= String(TIMESTAMPS[14]),
  },
  {
    query: 'from=1.10.0&to=1.40.0',
    passes: (version) => !has('"3.')(version) && numberOf(version) > 10 && numberOf(version) <= 40,
  },
  {
    query: `from=1.10.0&q=comet&since=${TIMESTAMPS[6]}`,
    passes: (version) =>
      isDated(version) &&
      has('comet')(version) &&
      numberOf(version) > 10 &&
      String(version.publishedAt) >= String(TIMESTAMPS[6]),
  },
];
