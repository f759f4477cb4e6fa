import { andThen } from '../../domain/maybe-promise.ts';
import { presentVersion } from '../../present/changelog.ts';
import { findVersion } from '../../store/read/find-version.ts';
import type { WriteBody } from '../cache/body.ts';
import { JSON_TYPE } from '../pipeline/send.ts';
import { readOf } from '../read.ts';
import { writeVersion } from '../writing/json.ts';
import { allChanges } from '../writing/walk.ts';

export const versionJson = readOf({
  operation: {
    name: 'Version',
    summary: 'One version with its changes.',
    description: 'A version is found only under its own team, product and changelog.',
    bodies: ['VersionEnvelope'],
  },
  contentType: JSON_TYPE,
  find: (db, { params }, visible) => findVersion(db, params, params.versionId, visible),
  present: (found, { params, render }, visible) => {
    const { head, version } = found;
    const writeShort: WriteBody = (out) =>
      andThen(presentVersion(head, { ...version, changes: found.changes }, render), (data) =>
        out.add(JSON.stringify({ data })),
      );
    const writeLong: WriteBody = async (out, read) => {
      const changes = await allChanges(found, { path: params, visible, read });
      await out.add('{"data":');
      await writeVersion(out, await presentVersion(head, { ...version, changes }, render));
      await out.add('}');
    };
    const text = found.end === null ? writeShort : writeLong;
    return { text, origin: head };
  },
});
