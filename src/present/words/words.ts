// Everything that pages, their errors and the widget say in their own words (R59). Each language is one file that has all
// of them; CONTRIBUTING says how to add one.
//
// `{name}` is replaced by a value, which may be a link or an authored text; keep all of them, in any order. Where a word
// depends on a number, each plural category of the language (`Intl.PluralRules`) has a form.
import type { ChangeType } from '../../domain/model.ts';
import type { ApiErrorCode } from '../../errors.ts';
import type { Alert } from '../../text/tree.ts';

/** By plural category, with `{n}` for the number. */
export type Plural = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>;

export type Words = Readonly<{
  /** The first link of a page, for people who use a keyboard. */
  skip: string;
  /** Names of parts of a page, for screen readers. */
  regions: Readonly<{
    breadcrumb: string;
    typesAndYears: string;
    moreVersions: string;
    otherVersions: string;
    moreProducts: string;
    otherPages: string;
    /** A table in an authored text. */
    table: string;
  }>;

  /** Links to other pages. */
  go: Readonly<{
    allProducts: string;
    allVersions: string;
    allChanges: string;
    olderVersions: string;
    newestVersions: string;
    moreProducts: string;
    apiReference: string;
    asMarkdown: string;
    /** On an error page. */
    reload: string;
  }>;

  /** Sentences about a page: below its heading, and in search results. */
  about: Readonly<{
    changelog: string;
    changelogOfTeam: string;
    /** Below the heading. */
    newestFirst: string;
    version: string;
    changes: string;
    breakingFirst: string;
    /** Headings of comparisons. */
    fromTo: string;
    after: string;
    upTo: string;
    /** Lists of products. */
    changelogs: string;
    changelogsOf: string;
    byProduct: string;
    ofTeam: string;
    products: string;
  }>;

  /** Headings of groups, and names of filters. */
  types: Readonly<Record<ChangeType | 'breaking', string>>;
  /** What a quote is: `> [!NOTE]`. */
  alerts: Readonly<Record<Alert, string>>;

  version: Readonly<{
    /** The menu of versions, and its part for labels that are not version numbers. */
    menu: string;
    otherLabels: string;
    versionCount: Plural;
    breakingCount: Plural;
    yanked: string;
    yankedNote: string;
    /** The difference between two states of the source code. */
    codeChanges: string;
    codeChangesIn: string;
    compareWith: string;
    after: string;
    moreChanges: Plural;
    /** Below a change that several products share, and below a version without the changes that others show. */
    alsoIn: string;
    listedUnder: string;
    linkToChange: string;
    linkToChangeText: string;
  }>;

  filters: Readonly<{
    search: string;
    searchThis: string;
    /** Of a team. */
    searchAll: string;
    filters: string;
    apply: string;
    compare: string;
    compareVersions: string;
    fields: Readonly<
      Record<'q' | 'since' | 'until' | 'from' | 'to' | 'type' | 'breaking' | 'prerelease', string>
    >;
    /** Instead of a version, in the lists of versions to compare. */
    fromFirst: string;
    toNewest: string;
    /** A field and its value, as an active filter. */
    fieldValue: string;
    onlyBreaking: string;
    noPrereleases: string;
    remove: string;
    clearAll: string;
    matches: Plural;
    matchesMore: string;
  }>;

  /** Instead of versions, changes or products. `{link}` is the text after it, as a link. */
  empty: Readonly<{
    noMatch: string;
    tryOthers: string;
    clearFilters: string;
    noOlder: string;
    seeNewest: string;
    nothingYet: string;
    appearHere: string;
    noChanges: string;
    noneListed: string;
    noChangesMatch: string;
    chooseOthers: string;
    seeAllChanges: string;
    noMoreProducts: string;
  }>;

  subscribe: Readonly<{
    button: string;
    all: string;
    security: string;
    breaking: string;
    filtered: string;
  }>;

  /** What is wrong with a field of a form. */
  problems: Readonly<{
    title: string;
    summary: string;
    words: string;
    time: string;
    version: string;
    type: string;
    yesOrNo: string;
    number: string;
    value: string;
    cursor: string;
    unknown: string;
    tooLong: string;
  }>;

  errors: Readonly<Record<ApiErrorCode, Readonly<{ title: string; message: string }>>>;

  /** The widget's own, besides the types; `{}` is replaced by a value. */
  widget: Readonly<{
    heading: string;
    close: string;
    unread: string;
    since: string;
    more: string;
    loading: string;
    empty: string;
    failed: string;
    breaking: string;
    yanked: string;
  }>;
}>;
