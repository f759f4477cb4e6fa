// The four routes of the specification: two reads, each on two surfaces.
import { isVersionId } from '../../domain/model.ts';
import { presentChangelog } from '../../present/changelog.ts';
import { ChangelogEnvelope, VersionEnvelope } from '../../present/schemas.ts';
import { recordWriter } from '../../present/write.ts';
import { findFeed, findVersion } from '../../store/reads.ts';
import type { Read } from './read-route.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
const BOTH = ['public', 'team'] as const;
const writeChangelog = recordWriter(ChangelogEnvelope);
const writeVersion = recordWriter(VersionEnvelope);

export const changelogRead: Read = {
  pattern: '/teams/:team/products/:product/changelog',
  surfaces: BOTH,
  parameters: [],
  contentType: JSON_TYPE,
  answers: [ChangelogEnvelope],
  find: async (db, { params }, visible) => {
    const { revision, found } = await findFeed(db, params, visible);
    return {
      revision,
      found: found && { text: writeChangelog(presentChangelog(found)), origin: found.head },
    };
  },
};

export const versionRead: Read = {
  pattern: '/teams/:team/products/:product/changelog/versions/:versionId',
  surfaces: BOTH,
  parameters: [],
  contentType: JSON_TYPE,
  answers: [VersionEnvelope],
  find: async (db, { params }, visible) => {
    // No revision has such a version.
    if (!isVersionId(params.versionId)) return { revision: 0, found: undefined };
    const { revision, found } = await findVersion(db, params, visible);
    if (found === undefined) return { revision, found };
    const { presentVersion } = await loadPresenter();
    return { revision, found: { text: writeVersion(presentVersion(found)), origin: found.head } };
  },
};

/** Loaded after the start of which it would be a good part, or when it is asked for. */
export const loadPresenter = () => import('../../present/version.ts');
