// An output's example, written by its own code, with the same version as all other examples.
import { renderMarkdown } from '../html/markdown.ts';
import { exampleOf } from '../openapi/schemas.ts';
import { VersionEnvelope } from '../schemas.ts';
import { describeFeed, type NamedOutput, UNFILTERED } from './output.ts';

export async function writeExample(
  output: NamedOutput,
  { baseUrl, outputs }: Readonly<{ baseUrl: string; outputs: readonly NamedOutput[] }>,
): Promise<string> {
  const { data } = exampleOf(VersionEnvelope) as VersionEnvelope;
  const {
    team,
    product,
    changelog,
    id,
    version: label,
    title,
    status,
    publishedAt,
    updatedAt,
    description,
  } = data;
  const head = {
    teamId: 0,
    teamSlug: team.slug,
    teamName: team.name,
    productId: 0,
    productSlug: product.slug,
    productName: product.name,
    changelogId: changelog.id,
    changelogName: changelog.name,
    changelogStatus: changelog.status,
    homeUrl: null,
    linkBase: null,
    logo: null,
    accent: null,
    language: 'en',
  };
  const changes = data.changes.map(({ id, type, text }) => ({ id, type, text, breaking: 0 as const }));
  const version = {
    id,
    label,
    title,
    status,
    publishedAt,
    updatedAt,
    description,
    yanked: 0 as const,
    changes,
  };
  const feed = describeFeed(head, { file: output.file, updatedAt, filter: UNFILTERED }, { baseUrl, outputs });
  const { start, end } = output.frame(feed);
  const written = await output.writeVersion(feed, version, (texts) => texts.map(renderMarkdown));
  return start + written + end;
}
