// Writes the content document of a team. Applied to another database, it gives the same API responses.
import type { TeamContent, VersionContent } from '../../domain/content/content.ts';
import type { DocumentFormat } from './formats.ts';
import { JSON_STYLE } from './json.ts';
import {
  type ChangelogHead,
  changelogFields,
  type DocumentStyle,
  type ProductHead,
  productFields,
} from './style.ts';
import { YAML_STYLE } from './yaml.ts';

type WrittenContent = Readonly<{
  team: TeamContent;
  products: readonly (ProductHead &
    Readonly<{ changelog: (ChangelogHead & { batches: () => Batches }) | null }>)[];
}>;

type Batches = AsyncIterable<readonly VersionContent[]> | Iterable<readonly VersionContent[]>;

const STYLES: Record<DocumentFormat, DocumentStyle> = { json: JSON_STYLE, yaml: YAML_STYLE };

/** Yields whole lines, without the last line break. */
export async function* writeContent(
  { team, products }: WrittenContent,
  format: DocumentFormat,
): AsyncGenerator<string> {
  const style = STYLES[format];
  yield style.begin(team, products.length > 0);
  for (const [index, { changelog, ...product }] of products.entries()) {
    const versions = changelog && (await Array.fromAsync(changelog.batches())).flat();
    const written = changelog && { ...changelogFields(changelog), versions: versions ?? [] };
    yield style.product(productFields(product), written, index === products.length - 1);
  }
  const end = style.end(products.length > 0);
  if (end !== null) yield end;
}
