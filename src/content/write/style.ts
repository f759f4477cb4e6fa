// The parts of a document, and what both formats share in writing them.
import type {
  ChangelogContent,
  ProductContent,
  TeamContent,
  VersionContent,
} from '../../domain/content/content.ts';

export type ChangelogHead = Omit<ChangelogContent, 'versions'>;
export type ProductHead = Omit<ProductContent, 'changelog'>;

/** Each part is some whole lines, without the last line break. */
export type DocumentStyle = Readonly<{
  begin: (team: TeamContent, hasProducts: boolean) => string;
  product: (product: ProductHead, isLast: boolean) => string;
  beginProduct: (product: ProductHead, changelog: ChangelogHead, hasVersions: boolean) => string;
  versions: (versions: readonly VersionContent[], isLast: boolean) => string;
  endProduct: (hasVersions: boolean, isLast: boolean) => string | null;
  end: (hasProducts: boolean) => string | null;
}>;

/** A document leaves out fields that are null. */
export function withoutNulls(record: object): object {
  return Object.fromEntries(
    Object.entries(record).filter(([, value]) => value !== null && value !== undefined),
  );
}

/** Characters that terminals interpret or nobody sees, as far as JSON does not escape them anyway. */
const INVISIBLE = /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]|\p{Bidi_Control}/gu;

/** The result is JSON, and so YAML as well. */
export function escapeInvisible(json: string): string {
  return json.replaceAll(
    INVISIBLE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
