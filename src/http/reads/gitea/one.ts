// One version in the form of Gitea (R57).
import type { Present } from '../../../present/gitea/records.ts';
import type { findVersion } from '../../../store/read/find-version.ts';
import type { WriteBody } from '../../cache/body.ts';
import { JSON_TYPE } from '../../pipeline/send.ts';
import { type OperationText, type Read, readOf } from '../../read.ts';
import { allChanges } from '../../writing/walk.ts';

type OneOptions = Readonly<{
  operation: OperationText;
  /** By the name in the path. */
  find: typeof findVersion;
  /** Whether the record needs the changes of the version. */
  withChanges: boolean;
  present: Present;
}>;

export function readOne({ operation, find, withChanges, present }: OneOptions): Read {
  return readOf({
    operation,
    contentType: JSON_TYPE,
    find: (db, { params }, visible) => find(db, params, params.versionId, visible),
    present: (found, { params, site }, visible) => {
      const { head, version } = found;
      const text: WriteBody = async (out, read) => {
        const changes = withChanges ? await allChanges(found, { path: params, visible, read }) : [];
        await out.add(
          JSON.stringify(await present({ head, baseUrl: site.baseUrl }, { ...version, changes })),
        );
      };
      return { text, origin: head };
    },
  });
}
