// What the formats have in common: the parts that a document is written in.
import type { ChangelogContent, ProductContent, TeamContent, VersionContent } from '../domain/content.ts';

export type ChangelogHead = Omit<ChangelogContent, 'versions'>;
export type ProductHead = Omit<ProductContent, 'changelog'>;

/** How a format writes each part, in whole lines without the last line break. */
export type Style = Readonly<{
  begin: (team: TeamContent, hasProducts: boolean) => string;
  product: (product: ProductHead, isLast: boolean) => string;
  beginProduct: (product: ProductHead, changelog: ChangelogHead, hasVersions: boolean) => string;
  versions: (versions: readonly VersionContent[], isLast: boolean) => string;
  endProduct: (hasVersions: boolean, isLast: boolean) => string | null;
  end: (hasProducts: boolean) => string | null;
}>;

/** What is null is what a document leaves out. */
export function withoutNulls(record: object): object {
  return Object.fromEntries(
    Object.entries(record).filter(([, value]) => value !== null && value !== undefined),
  );
}
