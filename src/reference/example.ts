// Examples of outputs, written by their own code, with the same version as all other examples.
import { serverLinks } from '../present/links.ts';
import {
  describeFeed,
  describeTeamFeed,
  entriesInTeam,
  type NamedOutput,
  UNFILTERED,
} from '../present/outputs/output.ts';
import type { FullVersion } from '../store/read/pages.ts';
import type { HeadRow } from '../store/read/reads.ts';
import { renderAtOnce } from '../text/parse.ts';
import rows from './example.json' with { type: 'json' };

/** That of a team has a change that another product shares. */
export async function writeExample(
  output: NamedOutput,
  { baseUrl, outputs }: Readonly<{ baseUrl: string; outputs: readonly NamedOutput[] }>,
  isOfTeam: boolean,
): Promise<string> {
  const { head, version } = exampleRows();
  const { teamSlug: slug, teamName: name, language } = head;
  const { updatedAt } = version;
  const context = { links: serverLinks(baseUrl), outputs };
  const named = { file: output.file, introduction: null, updatedAt, filter: UNFILTERED };
  if (!isOfTeam) {
    const feed = describeFeed(head, named, context);
    const { start, end } = output.frame(feed);
    return start + (await output.writeVersion(feed, version, renderAtOnce)) + end;
  }
  const { start, end } = output.frame(
    describeTeamFeed({ team: { slug, name }, language, updatedAt }, named, context),
  );
  const { version: urlOf } = context.links.urlsOf({ ...head, productSlug: 'lander' });
  const alsoIn = [{ name: 'Lander 1.2.0', url: urlOf({ id: '', label: '1.2.0' }) }];
  const shared = { changes: version.changes.map((change) => ({ ...change, alsoIn })), shownBy: [] };
  const entry = entriesInTeam(head, context.links);
  return start + (await output.writeVersion(entry, version, renderAtOnce, shared)) + end;
}

/** The rows of the record that all other examples show. */
export const exampleRows = () => rows as { head: HeadRow; version: FullVersion };
