// Versions as tags of Gitea (R57).
import { presentTag } from '../../../present/gitea/records.ts';
import { GiteaTag, GiteaTags } from '../../../present/gitea/schemas.ts';
import { findReleaseByLabel } from '../../../store/read/find-releases.ts';
import { PAGE_PARAMETERS, readList } from './list.ts';
import { readOne } from './one.ts';

const TAG = { withChanges: false, present: presentTag } as const;

export const giteaTags = readList({
  operation: {
    name: 'GiteaTags',
    summary: 'The published versions as tags of Gitea.',
    description:
      'Newest first, at most the newest 10,000. `X-Total-Count` has their number, and `Link` the URLs of other pages.',
    bodies: [GiteaTags],
  },
  parameters: PAGE_PARAMETERS,
  ...TAG,
});

export const giteaTag = readOne({
  operation: {
    name: 'GiteaTag',
    summary: 'A version as a tag of Gitea, by its label.',
    description: 'The label with or without a leading `v`. Slashes in it may be encoded or not.',
    bodies: [GiteaTag],
  },
  find: findReleaseByLabel,
  ...TAG,
});
