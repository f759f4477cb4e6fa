// Products as repositories of Gitea, and published versions as their releases and tags (R57).
import { hash } from 'node:crypto';
import type { MaybePromise } from '../../domain/maybe-promise.ts';
import { releaseNumber } from '../../domain/release-number.ts';
import { isPrerelease } from '../../domain/version-order.ts';
import type { Releases } from '../../store/read/find-releases.ts';
import type { FullVersion } from '../../store/read/pages.ts';
import type { HeadRow } from '../../store/read/reads.ts';
import { writeNotesMarkdown } from '../outputs/markdown.ts';
import type { Site } from '../pages/document.ts';

type Repository = Readonly<{ head: HeadRow; site: Pick<Site, 'baseUrl' | 'links'> }>;

export type GiteaRelease = Awaited<ReturnType<typeof presentRelease>>;
export type GiteaTag = ReturnType<typeof presentTag>;
export type Present = (repository: Repository, version: FullVersion) => MaybePromise<GiteaRelease | GiteaTag>;

/** The release of Gitea whose API this follows; the rest, which clients ignore when comparing, tells it from Gitea. */
export const GITEA_VERSION = '1.22.0+changelog';

const SHA_DIGITS = 40;
const NO_ARCHIVES = { tarball_url: '', zipball_url: '' };

export async function presentRelease({ head, site: { baseUrl, links } }: Repository, version: FullVersion) {
  const { label, title, yanked } = version;
  const id = releaseNumber(version.id);
  const publishedAt = version.publishedAt as string;
  return {
    id,
    tag_name: label,
    target_commitish: label,
    name: title === '' ? label : title,
    body: await writeNotesMarkdown(version, head),
    url: `${baseUrl}${pathOf(head)}/releases/${id}`,
    html_url: links.urlsOf(head).version(version),
    ...NO_ARCHIVES,
    upload_url: '',
    draft: false,
    prerelease: isPrerelease(label) || yanked === 1,
    created_at: publishedAt,
    published_at: publishedAt,
    author: presentOwner(head),
    assets: [],
  };
}

function presentOwner({ teamSlug, teamName }: HeadRow) {
  return { id: 0, login: teamSlug, full_name: teamName, email: '', avatar_url: '', username: teamSlug };
}

const pathOf = ({ teamSlug, productSlug }: HeadRow) => `/api/v1/repos/${teamSlug}/${productSlug}`;

/** What clients in Go take for no time. */
const NO_TIME = '0001-01-01T00:00:00.000Z';

export function presentRepository(
  { head, versions: [newest], total }: Releases,
  { baseUrl, links }: Repository['site'],
) {
  const states = [head.productStatus, head.changelogStatus];
  return {
    id: releaseNumber(head.changelogId),
    owner: presentOwner(head),
    name: head.productSlug,
    full_name: `${head.teamSlug}/${head.productSlug}`,
    description: head.productName,
    url: baseUrl + pathOf(head),
    html_url: links.urlsOf(head).changelog,
    website: head.homeUrl ?? '',
    default_branch: '',
    private: head.teamVisibility === 'private' || states.some((state) => state !== 'published'),
    archived: states.includes('locked'),
    has_releases: true,
    release_counter: total,
    updated_at: newest?.publishedAt ?? NO_TIME,
    permissions: { admin: false, push: false, pull: true },
  };
}

/** Without the changes. */
export function presentTag({ head, site }: Repository, version: Omit<FullVersion, 'changes'>) {
  const { id, label, title, publishedAt } = version;
  const sha = hash('sha256', id, 'hex').slice(0, SHA_DIGITS);
  const url = site.links.urlsOf(head).version(version);
  return {
    name: label,
    message: title,
    id: sha,
    commit: { sha, created: publishedAt as string, url },
    ...NO_ARCHIVES,
  };
}
