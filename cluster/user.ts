import { execFileSync } from 'node:child_process';
import { chownSync, mkdirSync, readFileSync } from 'node:fs';
import { makeTemporaryFolder } from './scope.ts';

type User = Readonly<{ uid: number; gid: number }>;

/** Tried in order: the user that Debian creates for PostgreSQL, and one that every machine has. */
const UNPRIVILEGED = ['postgres', 'nobody'];

/** The user that servers run as, or null for the current one. PostgreSQL does not start as root. */
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
    `servers must not run as root, and this machine has neither user ${UNPRIVILEGED.join(' nor ')}`,
  );
}

/** A temporary folder that the servers' user can write to. The caller removes it. */
export function makeServerFolder(): string {
  return handOver(makeTemporaryFolder());
}

/** A folder to keep, or null if the servers' user has no access to the folders above it. */
export function keepServerFolder(folder: string): string | null {
  mkdirSync(folder, { recursive: true });
  handOver(folder);
  try {
    execFileSync('test', ['-w', folder], { cwd: '/', ...serverUser() });
    return folder;
  } catch {
    return null;
  }
}

function handOver(folder: string): string {
  const user = serverUser();
  if (user !== null) chownSync(folder, user.uid, user.gid);
  return folder;
}
