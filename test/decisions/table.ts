// The expected result for every combination of states and credentials, written from the specification alone and not
// from src. The tests compare the rules and the running service with it, cell by cell.

export const TEAM_VISIBILITIES = ['public', 'private'] as const;
export const PRODUCT_STATES = ['draft', 'published', 'locked', 'nonexistent'] as const;
export const CHANGELOG_STATES = ['draft', 'published', 'locked', 'nonexistent'] as const;
export const VERSION_STATES = ['draft', 'published', 'nonexistent'] as const;
export const SURFACES = ['public', 'team'] as const;
export const ROUTES = ['changelog', 'version'] as const;
export const CREDENTIALS = [
  'none',
  'malformed',
  'unknown',
  'disabled full',
  'disabled select',
  'expired full',
  'expired select',
  'full',
  'select, attached',
  'select, not attached',
  'full of another team',
  'select of another team, same product slug',
] as const;

export type Cell = Readonly<{
  team: (typeof TEAM_VISIBILITIES)[number];
  product: (typeof PRODUCT_STATES)[number];
  changelog: (typeof CHANGELOG_STATES)[number];
  version: (typeof VERSION_STATES)[number];
  surface: (typeof SURFACES)[number];
  route: (typeof ROUTES)[number];
  credential: (typeof CREDENTIALS)[number];
}>;

export function allCells(): Cell[] {
  return TEAM_VISIBILITIES.flatMap((team) =>
    PRODUCT_STATES.flatMap((product) =>
      CHANGELOG_STATES.flatMap((changelog) =>
        VERSION_STATES.flatMap((version) =>
          SURFACES.flatMap((surface) =>
            ROUTES.flatMap((route) =>
              CREDENTIALS.map((credential) => ({
                team,
                product,
                changelog,
                version,
                surface,
                route,
                credential,
              })),
            ),
          ),
        ),
      ),
    ),
  );
}

export function describeCell(cell: Cell): string {
  return Object.entries(cell)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
}

export type Expected = Readonly<{
  status: 200 | 401 | 403 | 404;
  /** If a changelog is returned: whether it has the version. */
  listsVersion: boolean;
}>;

export function expected(cell: Cell): Expected {
  const status = cell.surface === 'public' ? publicStatus(cell) : teamStatus(cell);
  return { status, listsVersion: status === 200 && cell.route === 'changelog' && isListed(cell) };
}

/** "The team must be public and the product, changelog and version must be published." Credentials do not matter. */
function publicStatus({ team, product, changelog, version, route }: Cell): 200 | 404 {
  if (team === 'private') return 404;
  if (product === 'draft' || product === 'locked' || product === 'nonexistent') return 404;
  if (changelog === 'draft' || changelog === 'locked' || changelog === 'nonexistent') return 404;
  if (route === 'version' && (version === 'draft' || version === 'nonexistent')) return 404;
  return 200;
}

/** 401 for a key that does not authenticate, then 403 for one without access, then 404 for what does not exist. */
function teamStatus({ product, changelog, version, route, credential }: Cell): 200 | 401 | 403 | 404 {
  switch (credential) {
    case 'none':
    case 'malformed':
    case 'unknown':
    case 'disabled full':
    case 'disabled select':
    case 'expired full':
    case 'expired select':
      return 401;
    case 'select, not attached':
    case 'full of another team':
    case 'select of another team, same product slug':
      return 403;
    case 'select, attached':
      // A missing product cannot be attached.
      if (product === 'nonexistent') return 403;
      break;
    case 'full':
      if (product === 'nonexistent') return 404;
      break;
  }
  if (changelog === 'nonexistent') return 404;
  if (route === 'version' && version === 'nonexistent') return 404;
  return 200;
}

/** What clients of Gitea get, and whether it is by the rules for anyone: then it is counted, and caches may keep it. */
export type ExpectedOfGitea = Expected & Readonly<{ asAnyone: boolean }>;

/**
 * "Without credentials these are public routes in every respect. With a key the rules of the authenticated surface hold,
 * except that a valid key for something else reads as anyone does. Published versions only."
 */
export function expectedOfGitea(cell: Cell): ExpectedOfGitea {
  const keyed = teamStatus(cell);
  const asAnyone = cell.credential === 'none' || keyed === 403;
  const isDraft = cell.route === 'version' && cell.version === 'draft';
  const status = asAnyone ? publicStatus(cell) : keyed === 200 && isDraft ? 404 : keyed;
  const listsVersion = status === 200 && cell.route === 'changelog' && cell.version === 'published';
  return { status, listsVersion, asAnyone };
}

function isListed({ surface, version }: Cell): boolean {
  if (version === 'nonexistent') return false;
  return surface === 'team' || version === 'published';
}
