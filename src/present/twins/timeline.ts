// `/changelog/{team}.md`: a team's products, then the versions of all of them, as Markdown (R64).
import type { TimelineRow } from '../../store/read/lists/timeline.ts';
import { writeNotesMarkdown } from '../notes/markdown.ts';
import { NAMED_MAX } from '../notes/shared.ts';
import { titleInTeam } from '../outputs/entry-title.ts';
import { escapeInline } from '../outputs/markdown.ts';
import { teamOutputs } from '../outputs/output.ts';
import { queryOf } from '../pages/filters.ts';
import type { PageFrame, Site, TimelineView } from '../pages/views.ts';
import type { SharedNotes, VersionLink } from '../team.ts';
import { ENGLISH, fill } from '../words/locale.ts';
import { linkTo, type MarkdownLink, writeEnd, writeLinks } from './links.ts';
import { linksToProducts } from './lists.ts';
import { noVersions, writeBelowHeading } from './versions.ts';

const { go, version: words } = ENGLISH.words;

export function frameTimelineTwin(site: Site, view: TimelineView): PageFrame {
  const { team, productsUrl, olderUrl, isContinued, form, versionIds } = view;
  const { links, outputs, isStatic } = site;
  const own = links.markdownOf(links.isAbsolute ? links.listUrl(team.slug) : '');
  const products: MarkdownLink[] = [
    ...linksToProducts(site, view, productsUrl === null),
    ...(productsUrl === null ? [] : [[go.moreProducts, own + productsUrl] as const]),
  ];
  return {
    start: `# ${escapeInline(team.name)}\n${products.length > 0 ? `\n${writeLinks(products)}` : ''}${versionIds.length === 0 ? noVersions(view) : ''}`,
    end: writeEnd([
      // A static site has the other pages as HTML only.
      olderUrl !== null && [go.olderVersions, isStatic ? olderUrl : own + olderUrl],
      isContinued && [go.newestVersions, own + queryOf(form)],
      ...teamOutputs(outputs).flatMap(({ file, label }): MarkdownLink[] => {
        const url = links.teamFile(team.slug, file);
        return url === null ? [] : [[file, url + queryOf(form), label]];
      }),
    ]),
  };
}

/** From the page of a team. */
export function versionUrl({ links }: Site, version: TimelineRow): string {
  const { head } = version;
  return links.isAbsolute
    ? links.urlsOf(head).version(version)
    : links.fromList(false).version(head, version);
}

/** A version of any product, without the changes that another shows. */
export async function writeTeamVersion(
  site: Site,
  version: TimelineRow,
  { changes, shownBy }: SharedNotes,
): Promise<string> {
  const { head } = version;
  const others = new Map(changes.map(({ id, alsoIn }) => [id, alsoIn]));
  const notes = await writeNotesMarkdown({ ...version, changes }, head, ({ id }) => {
    const named = others.get(id) ?? [];
    return named.length === 0 ? '' : nameVersions(words.alsoIn, named);
  });
  const elsewhere = shownBy.length === 0 ? '' : `${nameVersions(words.listedUnder, shownBy)}\n`;
  const parts = [notes, elsewhere].filter((part) => part !== '');
  return writeBelowHeading(
    titleInTeam(head.productName.toWellFormed(), version),
    versionUrl(site, version),
    version,
    parts.join('\n'),
  );
}

function nameVersions(text: string, versions: readonly VersionLink[]): string {
  const named = versions.slice(0, NAMED_MAX).map(({ name, url }) => linkTo(name, url));
  const more = versions.length - named.length;
  return fill(text, { versions: [...named, ...(more === 0 ? [] : [`+${more}`])].join(', ') });
}
