// Products as repositories of Gitea, and versions as their releases and tags (R57).
import { LATEST } from '../../../domain/version-names.ts';
import { NOT_FOUND } from '../../../errors.ts';
import {
  type Present,
  presentRelease,
  presentRepository,
  presentTag,
} from '../../../present/gitea/records.ts';
import { findReleaseByLabel, findReleaseByNumber, findReleases } from '../../../store/read/find-releases.ts';
import { findVersion } from '../../../store/read/find-version.ts';
import type { WriteBody } from '../../cache/body.ts';
import { JSON_TYPE } from '../../pipeline/send.ts';
import { type OperationText, type Read, readOf } from '../../read.ts';
import { allChanges } from '../../writing/walk.ts';
import { PAGE_PARAMETERS, RELEASE_PARAMETERS, readList } from './list.ts';

const RELEASE = { withChanges: true, present: presentRelease } as const;
const TAG = { withChanges: false, present: presentTag } as const;

const IN_PAGES =
  'Newest first, at most the newest 10,000. `X-Total-Count` has their number, and `Link` the URLs of other pages.';
const BY_LABEL = 'The label with or without a leading `v`. Slashes in it may be encoded or not.';

/** Only the newest release, which says when it was published. */
const NEWEST = { offset: 0, limit: 1, isPrerelease: null, withChanges: false } as const;

export const giteaRepository = readOf({
  operation: {
    name: 'GiteaRepository',
    summary: 'The product as a repository of Gitea.',
    description: 'It has releases and tags, and nothing else.',
    bodies: ['GiteaRepository'],
  },
  contentType: JSON_TYPE,
  find: (db, { params }, visible) => findReleases(db, params, NEWEST, visible),
  present: (found, { site }) => ({
    text: JSON.stringify(presentRepository(found, site)),
    origin: found.head,
  }),
});

export const giteaReleases = readList({
  name: 'GiteaReleases',
  summary: 'The published versions as releases of Gitea.',
  description: IN_PAGES,
  bodies: ['GiteaReleases'],
  parameters: RELEASE_PARAMETERS,
  ...RELEASE,
});

export const giteaTags = readList({
  name: 'GiteaTags',
  summary: 'The published versions as tags of Gitea.',
  description: IN_PAGES,
  bodies: ['GiteaTags'],
  parameters: PAGE_PARAMETERS,
  ...TAG,
});

export const giteaLatestRelease = readOne({
  name: 'GiteaLatestRelease',
  summary: 'The latest version as a release of Gitea.',
  description: 'The highest version that is neither a prerelease nor yanked, or else the newest one.',
  bodies: ['GiteaRelease'],
  find: (db, path, _name, visible) => findVersion(db, path, LATEST, visible),
  ...RELEASE,
});

export const giteaReleaseByTag = readOne({
  name: 'GiteaReleaseByTag',
  summary: 'A version as a release of Gitea, by its label.',
  description: BY_LABEL,
  bodies: ['GiteaRelease'],
  find: findReleaseByLabel,
  ...RELEASE,
});

export const giteaRelease = readOne({
  name: 'GiteaRelease',
  summary: 'A version as a release of Gitea, by its number.',
  description: 'The number is `id` in the other responses.',
  bodies: ['GiteaRelease'],
  find: (db, path, name, visible) => {
    if (!/^[0-9]{1,16}$/.test(name)) throw NOT_FOUND;
    return findReleaseByNumber(db, path, Number(name), visible);
  },
  ...RELEASE,
});

export const giteaTag = readOne({
  name: 'GiteaTag',
  summary: 'A version as a tag of Gitea, by its label.',
  description: BY_LABEL,
  bodies: ['GiteaTag'],
  find: findReleaseByLabel,
  ...TAG,
});

type OneOptions = OperationText &
  Readonly<{
    /** By the name in the path. */
    find: typeof findVersion;
    withChanges: boolean;
    present: Present;
  }>;

function readOne({ find, withChanges, present, ...operation }: OneOptions): Read {
  return readOf({
    operation,
    contentType: JSON_TYPE,
    find: (db, { params }, visible) => find(db, params, params.versionId, visible),
    present: (found, { params, site }, visible) => {
      const { head, version } = found;
      const repository = { head, site };
      const text: WriteBody = async (out, read) => {
        const changes = withChanges ? await allChanges(found, { path: params, visible, read }) : [];
        await out.add(JSON.stringify(await present(repository, { ...version, changes })));
      };
      return { text, origin: head };
    },
  });
}
