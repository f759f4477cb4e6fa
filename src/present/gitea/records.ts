// Published versions as releases and tags of Gitea (R57).
import { hash } from 'node:crypto';
import type { MaybePromise } from '../../domain/maybe-promise.ts';
import { releaseNumber } from '../../domain/release-number.ts';
import { isPrerelease } from '../../domain/version-order.ts';
import type { FullVersion } from '../../store/read/pages.ts';
import type { HeadRow } from '../../store/read/reads.ts';
import { writeNotesMarkdown } from '../notes/markdown.ts';
import type { Site } from '../pages/views.ts';
import type { GiteaRelease, GiteaTag } from './schemas.ts';

type Repository = Readonly<{ head: HeadRow; site: Pick<Site, 'baseUrl' | 'links'> }>;

export type Present = (repository: Repository, version: FullVersion) => MaybePromise<GiteaRelease | GiteaTag>;

const SHA_DIGITS = 40;

export async function presentRelease(
  { head, site: { baseUrl, links } }: Repository,
  version: FullVersion,
): Promise<GiteaRelease> {
  const { label, title, yanked } = version;
  const id = releaseNumber(version.id);
  const publishedAt = version.publishedAt as string;
  return {
    id,
    tag_name: label,
    target_commitish: label,
    name: title === '' ? label : title,
    body: await writeNotesMarkdown(version),
    url: `${baseUrl}/api/v1/repos/${head.teamSlug}/${head.productSlug}/releases/${id}`,
    html_url: links.urlsOf(head).version(version),
    tarball_url: '',
    zipball_url: '',
    upload_url: '',
    draft: false,
    prerelease: isPrerelease(label) || yanked === 1,
    created_at: publishedAt,
    published_at: publishedAt,
    author: {
      id: 0,
      login: head.teamSlug,
      full_name: head.teamName,
      email: '',
      avatar_url: '',
      username: head.teamSlug,
    },
    assets: [],
  };
}

/** Without the changes. */
export function presentTag({ head, site }: Repository, version: Omit<FullVersion, 'changes'>): GiteaTag {
  const { id, label, title, publishedAt } = version;
  const sha = hash('sha256', id, 'hex').slice(0, SHA_DIGITS);
  const url = site.links.urlsOf(head).version(version);
  return {
    name: label,
    message: title,
    id: sha,
    commit: { sha, created: publishedAt as string, url },
    tarball_url: '',
    zipball_url: '',
  };
}
