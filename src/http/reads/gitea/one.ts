// One version in the form of Gitea (R57).
import type { VisibleRows } from '../../../domain/access/visibility.ts';
import type { MaybePromise } from '../../../domain/maybe-promise.ts';
import { NOT_FOUND } from '../../../errors.ts';
import type { Present } from '../../../present/gitea/records.ts';
import type { Reader } from '../../../store/engine/engine.ts';
import type { AtRevision, ProductPath, VersionDetail } from '../../../store/read/reads.ts';
import type { WriteBody } from '../../cache/body.ts';
import { JSON_TYPE } from '../../pipeline/send.ts';
import type { OperationText, Read } from '../../read.ts';
import { allChanges } from '../../writing/walk.ts';

type OneOptions = Readonly<{
  operation: OperationText;
  find: (
    db: Reader,
    path: ProductPath,
    name: string,
    visible: VisibleRows,
  ) => MaybePromise<AtRevision<VersionDetail>>;
  /** Whether anything can have this name; by default always. */
  isName?: (name: string) => boolean;
  /** Whether the record needs the changes of the version. */
  withChanges: boolean;
  present: Present;
}>;

export function readOne({ operation, find, isName = () => true, withChanges, present }: OneOptions): Read {
  return {
    operation,
    contentType: JSON_TYPE,
    find: async (db, { params, site }, visible) => {
      const name = decodeURIComponent(params.versionId);
      if (!isName(name)) throw NOT_FOUND;
      const { revision, found } = await find(db, params, name, visible);
      if (found === undefined) return { revision, found };
      const { head, version } = found;
      const text: WriteBody = async (out, read) => {
        const changes = withChanges ? await allChanges(found, { path: params, visible, read }) : [];
        await out.add(
          JSON.stringify(await present({ head, baseUrl: site.baseUrl }, { ...version, changes })),
        );
      };
      return { revision, found: { text, origin: head } };
    },
  };
}
