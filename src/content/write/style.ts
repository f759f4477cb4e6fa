// What the formats have in common: the parts that a document is written in.
import type {
  ChangelogContent,
  ProductContent,
  TeamContent,
  VersionContent,
} from '../../domain/content/content.ts';

export type ChangelogHead = Omit<ChangelogContent, 'versions'>;
export type ProductHead = Omit<ProductContent, 'changelog'>;

/** How a format writes each part, in whole lines without the last line break. */
export type DocumentStyle = Readonly<{
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

/** What terminals obey and what nobody sees; the rest of it JSON escapes by itself. */
const UNSEEN = /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]|\p{Bidi_Control}/gu;

/** JSON as it was, with escapes for what is better not printed. YAML reads it as well. */
export function escapeInvisible(json: string): string {
  return json.replaceAll(
    UNSEEN,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
