// The four routes of the specification: two reads, each on two surfaces.
import { isVersionId } from '../../domain/model.ts';
import { presentChangelog } from '../../present/changelog.ts';
import { ChangelogEnvelope, VersionEnvelope } from '../../present/schemas.ts';
import { findFeed, findVersion } from '../../store/reads.ts';
import type { Read } from './read-route.ts';

export const changelogRead: Read = {
  pattern: '/teams/:team/products/:product/changelog',
  answer: ChangelogEnvelope,
  find: async (db, path, visible) => {
    const { revision, found } = await findFeed(db, path, visible);
    return { revision, found: found && { record: presentChangelog(found), origin: found.head } };
  },
};

export const versionRead: Read = {
  pattern: '/teams/:team/products/:product/changelog/versions/:versionId',
  answer: VersionEnvelope,
  find: async (db, path, visible) => {
    // No revision has such a version.
    if (!isVersionId(path.versionId)) return { revision: 0, found: undefined };
    const { revision, found } = await findVersion(db, path, visible);
    if (found === undefined) return { revision, found };
    const { presentVersion } = await loadPresenter();
    return { revision, found: { record: presentVersion(found), origin: found.head } };
  },
};

/** Loaded after the start of which it would be a good part, or when it is asked for. */
export const loadPresenter = () => import('../../present/version.ts');
