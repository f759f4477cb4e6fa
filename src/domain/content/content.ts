// The content document as people write it, and with all defaults filled in.
import {
  CHANGE_TYPES,
  type ChangeType,
  type IdKind,
  idPattern,
  LABEL_CHARACTERS_MAX,
  LABEL_PATTERN,
  PLANS,
  type Plan,
  PUBLICATION_STATES,
  type PublicationState,
  SLUG_PATTERN,
  VERSION_STATES,
  type VersionState,
  VISIBILITIES,
  type Visibility,
} from '../model.ts';
import { array, boolean, object, oneOf, type Static, text, textOrNull } from '../schema.ts';
import { normaliseInstant, normaliseTimestamp } from '../timestamp.ts';
import {
  CHANGELOG_RULES,
  DEFAULT_LANGUAGE,
  PRODUCT_RULES,
  type TextRule,
  VERSION_RULES,
} from './appearance.ts';

const NAME_CHARACTERS_MAX = 200;
const TITLE_CHARACTERS_MAX = 1_000;
/** Of a description or a change. */
export const TEXT_CHARACTERS_MAX = 100_000;
/** Of a changelog. */
export const VERSIONS_MAX = 100_000;

const slug = (description: string) => text({ pattern: SLUG_PATTERN, description });
const name = (description: string) => text({ minLength: 1, maxLength: NAME_CHARACTERS_MAX, description });
const id = (kind: IdKind) =>
  text({ pattern: idPattern(kind), description: 'Kept if given; otherwise generated once.' });
const ruled = ({ pattern, maxLength }: TextRule, description: string) =>
  text({ pattern, maxLength, description });
const IMAGE =
  'A picture: an https: URL, a data: URL, or the path of a file, relative to this document, which is embedded.';
const state = () =>
  oneOf(PUBLICATION_STATES, {
    default: 'draft',
    description: 'Only `published` is public; `locked` is frozen.',
  });

const ChangeFields = object(
  {
    type: oneOf(CHANGE_TYPES, 'The type of change.'),
    text: text({ minLength: 1, maxLength: TEXT_CHARACTERS_MAX, description: 'The change, in Markdown.' }),
  },
  {
    description: 'One change.',
    optional: {
      id: id('change'),
      breaking: boolean({ default: false, description: 'Users have to act.' }),
    },
  },
);

const VersionLinkFields = object(
  {},
  {
    description: 'URLs with https: or http:.',
    optional: { compare: ruled(VERSION_RULES.compare, 'All changes to the code since the version before.') },
  },
);

export const VersionFields = object(
  {
    version: text({
      pattern: LABEL_PATTERN,
      maxLength: LABEL_CHARACTERS_MAX,
      description:
        'The label, such as 2.1.0; unique within the changelog. Quote it if it looks like a number.',
    }),
    title: text({ maxLength: TITLE_CHARACTERS_MAX, description: 'The title.' }),
  },
  {
    description: 'One version.',
    optional: {
      id: id('version'),
      status: oneOf(VERSION_STATES, { default: 'draft', description: 'Drafts are hidden from the public.' }),
      publishedAt: textOrNull('ISO 8601. Default of a published version: the time when it is first applied.'),
      publishAt: textOrNull(
        'ISO 8601 with a time zone. When the server publishes this draft; `publishedAt` becomes that time.',
      ),
      updatedAt: textOrNull(
        'ISO 8601. When it last changed, as an export says; not for documents written by hand. A later edit counts more.',
      ),
      description: textOrNull({
        maxLength: TEXT_CHARACTERS_MAX,
        description: 'An introduction, in Markdown.',
      }),
      links: VersionLinkFields,
      image: ruled(VERSION_RULES.image, IMAGE),
      yanked: boolean({ default: false, description: 'Withdrawn after its release.' }),
      changes: array(ChangeFields, 'In the order to show them.'),
    },
  },
);

const ChangelogFields = object(
  {},
  {
    description: 'The changelog of a product.',
    optional: {
      id: id('changelog'),
      name: name('Default: the name of the product.'),
      description: textOrNull({
        maxLength: TEXT_CHARACTERS_MAX,
        description: 'What the changelog is about, in Markdown.',
      }),
      language: text({
        pattern: CHANGELOG_RULES.language.pattern,
        maxLength: CHANGELOG_RULES.language.maxLength,
        default: DEFAULT_LANGUAGE,
        description: 'The language of its texts, as a BCP 47 tag.',
      }),
      status: state(),
      versions: array(VersionFields, { maxItems: VERSIONS_MAX, description: 'Newest first.' }),
    },
  },
);

const LinkFields = object(
  {},
  {
    description: 'URLs with https:.',
    optional: {
      home: ruled(PRODUCT_RULES.home, "The product's own site."),
      base: ruled(PRODUCT_RULES.base, 'Relative links and images in texts start from here.'),
      repository: ruled(PRODUCT_RULES.repository, 'Where its code is: #123 and commits in texts lead there.'),
    },
  },
);

const ProductFields = object(
  { slug: slug('The product in URLs; unique within the team.'), name: name('The name of the product.') },
  {
    description: 'One product.',
    optional: {
      status: state(),
      domain: ruled(
        PRODUCT_RULES.domain,
        'A host name of its own, unique: its pages are at the root of that host.',
      ),
      links: LinkFields,
      image: ruled(PRODUCT_RULES.image, IMAGE),
      logo: ruled(PRODUCT_RULES.logo, `${IMAGE} Shown small.`),
      accent: ruled(PRODUCT_RULES.accent, 'The colour of links, as #rgb or #rrggbb. Quote it.'),
      changelog: ChangelogFields,
    },
  },
);

const TeamFields = object(
  { slug: slug('The team in URLs.'), name: name('The name of the team.') },
  {
    description: 'The team that owns the products.',
    optional: {
      visibility: oneOf(VISIBILITIES, {
        default: 'private',
        description: 'Nothing of a private team is public.',
      }),
      plan: oneOf(PLANS, { default: 'free', description: 'API keys need the paid plan.' }),
    },
  },
);

export const ContentDocument = object(
  { team: TeamFields },
  {
    description: 'The content of one team, for `changelog apply`.',
    optional: {
      $schema: text('For editors.'),
      products: array(ProductFields, 'The products of the team.'),
    },
  },
);

export type ContentDocument = Static<typeof ContentDocument>;
export type VersionDocument = Static<typeof VersionFields>;

export type ChangeContent = Readonly<{
  id?: string | undefined;
  type: ChangeType;
  text: string;
  breaking: boolean;
}>;
export type VersionLinks = Readonly<{
  /** All changes to the code since the version before. */
  compare: string;
}>;
export type VersionContent = Readonly<{
  id?: string | undefined;
  version: string;
  title: string;
  status: VersionState;
  publishedAt: string | null;
  /** When a draft will be published (R50). Absent if the source has no schedules: a draft keeps its own. */
  publishAt?: string | null | undefined;
  /** When it last changed; null or absent if that is its publication date, or unknown. */
  updatedAt?: string | null | undefined;
  description: string | null;
  /** Absent if it has none. */
  links?: VersionLinks | undefined;
  /** An https: or data: URL. Absent if the source has no images: a version keeps its own. */
  image?: string | null | undefined;
  yanked: boolean;
  changes: readonly ChangeContent[];
}>;
export type ChangelogContent = Readonly<{
  id?: string | undefined;
  name: string;
  /** Markdown. */
  description: string | null;
  language: string;
  status: PublicationState;
  versions: readonly VersionContent[];
}>;
export type ProductContent = Readonly<{
  slug: string;
  name: string;
  status: PublicationState;
  /** In lower case and ASCII. */
  domain: string | null;
  links: Readonly<{ home: string | null; base: string | null; repository: string | null }>;
  image: string | null;
  logo: string | null;
  accent: string | null;
  changelog: ChangelogContent | null;
}>;
export type TeamContent = Readonly<{ slug: string; name: string; visibility: Visibility; plan: Plan }>;
export type Content = Readonly<{ team: TeamContent; products: readonly ProductContent[] }>;

/** Whether this is a valid name for a team, product, changelog or key. */
export function isName(text: string): boolean {
  const characters = [...text].length;
  return characters > 0 && characters <= NAME_CHARACTERS_MAX && text.isWellFormed() && !text.includes('\0');
}

/** Fills in the defaults of a valid document. */
export function completeContent({ team, products = [] }: ContentDocument): Content {
  return {
    team: {
      slug: team.slug,
      name: team.name,
      visibility: team.visibility ?? 'private',
      plan: team.plan ?? 'free',
    },
    products: products.map((product) => ({
      slug: product.slug,
      name: product.name,
      status: product.status ?? 'draft',
      domain: stored(PRODUCT_RULES.domain, product.domain),
      links: {
        home: stored(PRODUCT_RULES.home, product.links?.home),
        base: stored(PRODUCT_RULES.base, product.links?.base),
        repository: stored(PRODUCT_RULES.repository, product.links?.repository),
      },
      image: stored(PRODUCT_RULES.image, product.image),
      logo: stored(PRODUCT_RULES.logo, product.logo),
      accent: stored(PRODUCT_RULES.accent, product.accent),
      changelog: product.changelog ? completeChangelog(product.changelog, product.name) : null,
    })),
  };
}

function stored({ read }: TextRule, text: string | undefined): string | null {
  return text === undefined ? null : read(text);
}

function completeChangelog(changelog: Static<typeof ChangelogFields>, productName: string): ChangelogContent {
  return {
    id: changelog.id,
    name: changelog.name ?? productName,
    description: changelog.description ?? null,
    language: stored(CHANGELOG_RULES.language, changelog.language) ?? DEFAULT_LANGUAGE,
    status: changelog.status ?? 'draft',
    versions: (changelog.versions ?? []).map(completeVersion),
  };
}

export function completeVersion(version: VersionDocument): VersionContent {
  return {
    id: version.id,
    version: version.version,
    title: version.title,
    status: version.status ?? 'draft',
    publishedAt: version.publishedAt ? normaliseTimestamp(version.publishedAt) : null,
    publishAt: version.publishAt ? normaliseInstant(version.publishAt) : null,
    updatedAt: version.updatedAt ? normaliseTimestamp(version.updatedAt) : null,
    description: version.description ?? null,
    ...linksTo(stored(VERSION_RULES.compare, version.links?.compare)),
    image: stored(VERSION_RULES.image, version.image),
    yanked: version.yanked ?? false,
    changes: (version.changes ?? []).map((change) => ({ ...change, breaking: change.breaking ?? false })),
  };
}

/** The field `links` of a version, or nothing. */
export function linksTo(compare: string | null): { links?: VersionLinks } {
  return compare === null ? {} : { links: { compare } };
}

/** The field `image` of a version, or nothing. */
export function imageOf(image: string | null | undefined): { image?: string } {
  return image == null ? {} : { image };
}

/** The path to a value in a document: `['products', 0, 'slug']`. */
export type FieldPath = readonly (string | number)[];

/** A problem with a document, found in it or when applying it to the database. */
export class ContentProblem extends Error {
  override readonly name = 'ContentProblem';
  readonly path: FieldPath;

  constructor(path: FieldPath, message: string) {
    super(message);
    this.path = path;
  }
}

export function formatFieldPath(path: FieldPath): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`))
    .join('')
    .replace(/^\./, '');
}
