// The four routes of the specification: two reads, each on two surfaces.
import { isVersionId } from '../../domain/model.ts';
import { presentChangelog, presentVersion } from '../../present/changelog.ts';
import { ChangelogEnvelope, VersionEnvelope } from '../../present/schemas.ts';
import { findFeed, findVersion } from '../../store/reads.ts';
import type { Read } from './register.ts';

export const changelogRoute: Read = {
  url: '/teams/:team/products/:product/changelog',
  answer: ChangelogEnvelope,
  find: async (db, path, visible) => {
    const feed = await findFeed(db, path, visible);
    return feed && { record: presentChangelog(feed), origin: feed.head };
  },
};

export const versionRoute: Read = {
  url: '/teams/:team/products/:product/changelog/versions/:versionId',
  answer: VersionEnvelope,
  find: async (db, path, visible) => {
    if (!isVersionId(path.versionId)) return undefined;
    const version = await findVersion(db, path, visible);
    return version && { record: presentVersion(version), origin: version.head };
  },
};
