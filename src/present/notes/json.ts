// Versions of a file as JSON: the API's record, without what only a database has.
import type { FullVersion } from '../../store/read/pages.ts';
import type { HeadRow } from '../../store/read/reads.ts';
import type { Render } from '../../text/render.ts';
import { presentFull, renderTextsOf } from '../version.ts';

export async function presentFileVersion(
  version: FullVersion,
  head: HeadRow,
  render: Render,
): Promise<object> {
  const html = await renderTextsOf(head, version, version.changes, render);
  const full = presentFull(head, { ...version, changeCount: version.changes.length }, html);
  const { id: _, updatedAt, team, product, changelog, image, ...record } = full;
  return { ...record, changes: record.changes.map(({ id: _, ...change }) => change) };
}
