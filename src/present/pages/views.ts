// What pages show, as values: reads fill them in, templates write them.
import type { HubsFor } from '../../domain/hook.ts';
import type { ChangeType } from '../../domain/model.ts';
import type { ListedProduct } from '../../store/read/lists/listing.ts';
import type { Facet, MenuVersion } from '../../store/read/outline.ts';
import type { HeadRow } from '../../store/read/reads.ts';
import type { Links } from '../links.ts';
import type { NamedOutput } from '../outputs/output.ts';
import type { NamedVersion } from '../page-paths.ts';
import type { Html } from '../template.ts';
import type { PageText } from '../texts.ts';
import type { Locale } from '../words/locale.ts';

export type Site = Readonly<{
  /** For links that clients follow with the request's own path. */
  baseUrl: string;
  links: Links;
  /** Whether there is no server for searches, filters and comparisons. */
  isStatic: boolean;
  /** Appended to the pages' own style sheet, as a browser reads it: the policy has its hash. */
  extraCss: string;
  /** Whether each team has a page, and all teams one (R40). */
  hasTeamPages: boolean;
  hasHomePage: boolean;
  /** The formats that pages and `llms.txt` link to. */
  outputs: readonly NamedOutput[];
  /** The hubs that feeds name (R65). */
  hubsFor: HubsFor;
}>;

/** A page in parts: `start`, then what the read writes piece by piece, then `end`. */
export type PageFrame = Readonly<{ start: string; end: string }>;

export type RenderedChange = Readonly<{ id: string; type: ChangeType; text: PageText; breaking: boolean }>;

export type RenderedVersion = Readonly<{
  id: string;
  label: string;
  title: string;
  publishedAt: string | null;
  updatedAt: string;
  yanked: boolean;
  /** All changes to the code since the version before. */
  compareUrl: string | null;
  image: string | null;
  /** Null if there is none. */
  description: PageText | null;
  changes: readonly RenderedChange[];
}>;

/** The comparison of a version with the one before it. */
export type Before = Readonly<{ label: string; url: string }>;

/** A form as filled in. */
export type FilterForm = Readonly<{
  /** By parameter; empty fields are absent. */
  values: Readonly<Partial<Record<string, readonly string[]>>>;
  /** Messages by parameter; those without a field are shown above the form. */
  problems: Readonly<Record<string, Problem>>;
}>;

/** What is wrong with a field, in the words of a page. */
export type Problem = (locale: Locale) => Html | string;

/** A list of versions: the newest, those that match filters, or a later page. */
export type VersionListView = Readonly<{
  form: FilterForm;
  /** Whether a filter or a cursor applies. Such a page is not for search engines (R42). */
  isFiltered: boolean;
  isContinued: boolean;
  /** The versions on this page, by id. */
  versionIds: readonly string[];
  /** How many versions match the filters; null if that is not known, and without filters. */
  matches: Readonly<{ count: number; isMore: boolean }> | null;
  /** The next page; null on the last one. */
  olderUrl: string | null;
}>;

/** `/changelog/{team}/{product}` */
export type ChangelogView = VersionListView &
  Readonly<{
    head: HeadRow;
    depth: 'changelog' | 'home';
    /** Null if there is none, or if this is not the first page of all versions. */
    description: PageText | null;
    /** How many published versions there are: all of them, and by year and type. */
    allCount: number;
    facets: readonly Facet[];
    /** The newest versions, and the newest of each older major version. */
    menu: readonly MenuVersion[];
  }>;

/** `/changelog/{team}` */
export type TimelineView = VersionListView &
  Readonly<{
    team: Readonly<{ slug: string; name: string }>;
    language: string;
    /** The first ones, on the first page of all versions; none on others. */
    products: readonly ListedProduct[];
    /** The list of all products; null if these are all. */
    productsUrl: string | null;
  }>;

/** `…/versions/{name}` */
export type VersionView<V = RenderedVersion> = Readonly<{
  head: HeadRow;
  version: V;
  before: Before | null;
  /** Everything after this version; null if it cannot be compared. */
  afterUrl: string | null;
}>;

/** `…/changes` */
export type ChangesView = Readonly<{
  head: HeadRow;
  form: FilterForm;
  isFiltered: boolean;
  /** As on a changelog's page; empty without a form. */
  menu: readonly MenuVersion[];
  /** Whether there is no version between the two. */
  isEmpty: boolean;
}>;

export type RangeItem = RenderedChange & Readonly<{ version: NamedVersion }>;

/** `/changelog/{team}` and `/` */
export type ListView = Readonly<{
  /** Null on the page for all teams. */
  team: Readonly<{ slug: string; name: string }> | null;
  /** Their first changes are plain text. */
  products: readonly ListedProduct[];
  isContinued: boolean;
  /** Whether other parameters are given. */
  isFiltered?: boolean;
  /** The next page; null on the last one. */
  moreUrl: string | null;
}>;
