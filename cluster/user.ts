import { chownSync, readFileSync } from 'node:fs';
import { makeTemporaryFolder } from './scope.ts';

export type User = Readonly<{ uid: number; gid: number }>;

/** In this order: the one that Debian makes for PostgreSQL, and the one that is on every machine. */
const UNPRIVILEGED = ['postgres', 'nobody'];

/** Whom servers run as. PostgreSQL refuses to run as root, and the others have no need to. Null: as we do. */
export function serverUser(): User | null {
  if (process.getuid?.() !== 0) return null;
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  for (const name of UNPRIVILEGED) {
    const [, , uid, gid] = users.find(([candidate]) => candidate === name) ?? [];
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error(
    `servers do not run as root, and this machine has none of the users ${UNPRIVILEGED.join(', ')}`,
  );
}

/** A temporary folder that the servers' user can write to. Whoever asked for it removes it. */
export function makeServerFolder(): string {
  const folder = makeTemporaryFolder();
  const user = serverUser();
  if (user !== null) chownSync(folder, user.uid, user.gid);
  return folder;
}
