// Versions of a file as JSON: the fields of the API's record, without those that only a database has.
import { linksTo } from '../../domain/content/content.ts';
import type { FullVersion } from '../../store/read/pages.ts';
import type { Render } from '../../text/render.ts';
import type { Change, Version } from '../records.ts';
import type { TextHead } from '../texts.ts';
import { renderTextsOf } from '../version.ts';

type FileVersion = Omit<Version, 'id' | 'updatedAt' | 'team' | 'product' | 'changelog' | 'changes'> &
  Readonly<{ changes: readonly Omit<Change, 'id'>[] }>;

export async function presentFileVersion(
  version: FullVersion,
  head: TextHead,
  render: Render,
): Promise<FileVersion> {
  const { label, title, status, publishedAt, description, yanked, compareUrl, changes } = version;
  const html = await renderTextsOf(head, version, changes, render);
  return {
    object: 'changelog.version',
    version: label,
    title,
    status,
    publishedAt,
    changeCount: changes.length,
    description,
    descriptionHtml: html.description,
    yanked: yanked === 1,
    ...linksTo(compareUrl),
    changes: changes.map(({ type, text, breaking }, index) => ({
      object: 'changelog.change',
      type,
      text,
      html: html.changes[index] as string,
      breaking: breaking === 1,
    })),
  };
}
