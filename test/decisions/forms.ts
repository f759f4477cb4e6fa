// Other requests for the content of the four routes (R31 to R34). Each belongs to a route and must get its errors: 401,
// 403 or 404 there means the same here.
import { type Cell, CREDENTIALS, SURFACES } from './table.ts';

export type Form = Readonly<{
  name: string;
  route: Cell['route'];
  surfaces: readonly Cell['surface'][];
  /** Whether it is a page for people. Pages are another way to the public surface. */
  isPage: boolean;
  /** The rest of the URL after the changelog or its page, for a version with this label. */
  below: (label: string) => string;
  /** Whether a response shows the version. */
  shows: (body: string, version: Readonly<{ id: string; label: string }>) => boolean;
}>;

/** In every requested version. */
export const COMMON = { word: 'everywhere', type: 'added' } as const;

const lists: Form['shows'] = (body, { id }) =>
  JSON.parse(body).data.versions.some((version: { id: string }) => version.id === id);
const names: Form['shows'] = (body, { label }) => body.includes(label);
const is: Form['shows'] = (body, { id }) => JSON.parse(body).data.id === id;

const PARAMETERS = [
  '?limit=100',
  `?q=${COMMON.word}`,
  '?include=changes',
  `?type=${COMMON.type}`,
  '?from=0.1&to=9.0&prerelease=false&limit=5',
];
const FEEDS = ['feed.atom', 'feed.rss', 'feed.json', 'CHANGELOG.md'];

export const FORMS: readonly Form[] = [
  ...PARAMETERS.map((query) => form('changelog', query, lists)),
  form('changelog', '/changes?from=0.1.0', (body, { id }) => body.includes(`"versionId":"${id}"`)),
  ...FEEDS.map((name) => ({ ...form('changelog', `/${name}`, names), surfaces: ['public'] as const })),
  { ...form('version', 'a label', is), below: (label) => `/versions/${label}` },
  { ...form('version', 'the other spelling of a label', is), below: (label) => `/versions/v${label}` },
  ...['', '?limit=100', `?q=${COMMON.word}`, `?type=${COMMON.type}`, '?since=&from=0.1&prerelease=false'].map(
    (query) => page('changelog', query),
  ),
  page('changelog', '/changes?from=0.1.0'),
  page('changelog', '/changes.md?from=0.1.0'),
  { ...page('version', 'page by label'), below: (label) => `/versions/${label}` },
  { ...page('version', 'page by the other spelling'), below: (label) => `/versions/v${label}` },
];

/** On a page, a version's label has its own element; in Markdown it begins a heading. */
function page(route: Cell['route'], below: string): Form {
  const shows: Form['shows'] = (body, { label }) =>
    body.includes(`>${label}<`) || new RegExp(`^## ${RegExp.escape(label)}[ :]`, 'm').test(body);
  return { ...form(route, below, shows), name: `page ${below}`, isPage: true, surfaces: ['public'] };
}

function form(route: Cell['route'], below: string, shows: Form['shows']): Form {
  return { name: below, route, surfaces: SURFACES, isPage: false, below: () => below, shows };
}

/** The cells where a form may matter: keys do not on the public surface, nor versions in a list of all. */
export function isAskedIn({ route, surfaces }: Form, cell: Cell): boolean {
  if (cell.route !== route || !surfaces.includes(cell.surface)) return false;
  if (cell.surface === 'public' && cell.credential !== CREDENTIALS[0]) return false;
  return route === 'version' || cell.version === 'draft' || cell.version === 'published';
}
