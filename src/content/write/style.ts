// What the writers of YAML and JSON share.
import { DEFAULT_LANGUAGE } from '../../domain/content/appearance.ts';
import type {
  ChangelogContent,
  ProductContent,
  TeamContent,
  VersionContent,
} from '../../domain/content/content.ts';

export type ChangelogHead = Omit<ChangelogContent, 'versions'>;
export type ProductHead = Omit<ProductContent, 'changelog'>;

type WrittenChangelog = Readonly<{ versions: readonly VersionContent[] }>;

/** Each part has whole lines, without the last line break. */
export type DocumentStyle = Readonly<{
  begin: (team: TeamContent, hasProducts: boolean) => string;
  product: (product: object, changelog: WrittenChangelog | null, isLast: boolean) => string;
  end: (hasProducts: boolean) => string | null;
}>;

/** The fields of a product that are set, in the order of the documentation. */
export function productFields({
  slug,
  name,
  status,
  domain,
  links,
  image,
  logo,
  accent,
}: ProductHead): object {
  const given = withoutNulls(links);
  const hasLinks = Object.keys(given).length > 0;
  return withoutNulls({ slug, name, status, domain, links: hasLinks ? given : null, image, logo, accent });
}

export function changelogFields({ id, name, description, language, status }: ChangelogHead): object {
  const written = language === DEFAULT_LANGUAGE ? null : language;
  return withoutNulls({ id, name, description, language: written, status });
}

/** A document leaves out fields that are null. */
export function withoutNulls(record: object): object {
  return Object.fromEntries(
    Object.entries(record).filter(([, value]) => value !== null && value !== undefined),
  );
}

/** Control and invisible characters that JSON does not escape. */
const INVISIBLE = /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]|\p{Bidi_Control}/gu;

/** JSON, which is also YAML. */
export function escapeInvisible(json: string): string {
  return json.replaceAll(
    INVISIBLE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
