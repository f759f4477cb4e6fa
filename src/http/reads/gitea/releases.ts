// Versions as releases of Gitea (R57).
import { NOT_FOUND } from '../../../errors.ts';
import { presentRelease } from '../../../present/gitea/records.ts';
import { GiteaRelease, GiteaReleases } from '../../../present/gitea/schemas.ts';
import { findReleaseByLabel, findReleaseByNumber } from '../../../store/read/find-releases.ts';
import { findVersion, LATEST } from '../../../store/read/find-version.ts';
import { RELEASE_PARAMETERS, readList } from './list.ts';
import { readOne } from './one.ts';

const BODIES = [GiteaRelease];
const RELEASE = { withChanges: true, present: presentRelease } as const;

export const giteaReleases = readList({
  operation: {
    name: 'GiteaReleases',
    summary: 'The published versions as releases of Gitea.',
    description:
      'Newest first, at most the newest 10,000. `X-Total-Count` has their number, and `Link` the URLs of other pages.',
    bodies: [GiteaReleases],
  },
  parameters: RELEASE_PARAMETERS,
  ...RELEASE,
});

export const giteaLatestRelease = readOne({
  operation: {
    name: 'GiteaLatestRelease',
    summary: 'The latest version as a release of Gitea.',
    description: 'The highest published version that is not a prerelease, or else the newest one.',
    bodies: BODIES,
  },
  find: (db, path, _name, visible) => findVersion(db, path, LATEST, visible),
  ...RELEASE,
});

export const giteaReleaseByTag = readOne({
  operation: {
    name: 'GiteaReleaseByTag',
    summary: 'A version as a release of Gitea, by its label.',
    description: 'The label with or without a leading `v`. Slashes in it may be encoded or not.',
    bodies: BODIES,
  },
  find: findReleaseByLabel,
  ...RELEASE,
});

export const giteaRelease = readOne({
  operation: {
    name: 'GiteaRelease',
    summary: 'A version as a release of Gitea, by its number.',
    description: 'The number is `id` in the other responses.',
    bodies: BODIES,
  },
  find: (db, path, name, visible) => {
    if (!/^[0-9]{1,16}$/.test(name)) throw NOT_FOUND;
    return findReleaseByNumber(db, path, Number(name), visible);
  },
  ...RELEASE,
});
