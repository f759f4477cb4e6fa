import { GITEA_VERSION } from '../../../present/gitea/schemas.ts';
import type { Document } from '../../document.ts';
import { JSON_TYPE } from '../../pipeline/send.ts';

/** Gitea's clients read it first, to learn what the server can do. */
export const giteaVersion: Document = async () => ({
  contentType: JSON_TYPE,
  text: JSON.stringify({ version: GITEA_VERSION }),
});
