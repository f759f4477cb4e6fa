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

export async function writeExample(
  output: NamedOutput,
  { baseUrl, outputs }: Readonly<{ baseUrl: string; outputs: readonly NamedOutput[] }>,
): Promise<string> {
  const { head, version } = exampleRows();
  const feed = describeFeed(
    head,
    { file: output.file, introduction: null, updatedAt: version.updatedAt, filter: UNFILTERED },
    { links: serverLinks(baseUrl), outputs },
  );
  const { start, end } = output.frame(feed);
  return start + (await output.writeVersion(feed, version, renderAtOnce)) + end;
}

/** Of a team whose other product shares the change. */
export async function writeTeamExample(
  output: NamedOutput,
  { baseUrl, outputs }: Readonly<{ baseUrl: string; outputs: readonly NamedOutput[] }>,
): Promise<string> {
  const { head, version } = exampleRows();
  const links = serverLinks(baseUrl);
  const team = { slug: head.teamSlug, name: head.teamName };
  const feed = describeTeamFeed(
    { team, language: head.language, updatedAt: version.updatedAt },
    { file: output.file, filter: UNFILTERED },
    { links, outputs },
  );
  const other = {
    name: 'Lander 1.2.0',
    url: links.urlsOf({ ...head, productSlug: 'lander' }).version({ id: '', label: '1.2.0' }),
  };
  const shared = { changes: version.changes.map((change) => ({ ...change, alsoIn: [other] })), shownBy: [] };
  const { start, end } = output.frame(feed);
  return start + (await output.writeVersion(entriesInTeam(head, links), version, renderAtOnce, shared)) + end;
}

/** The rows of the record that all other examples show. */
export const exampleRows = () => rows as { head: HeadRow; version: FullVersion };
