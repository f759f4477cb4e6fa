// nginx with its micro-cache in front of a node.
import { truncateSync } from 'node:fs';
import path from 'node:path';
import { startNginx } from '../../cluster/nginx.ts';
import { removeFolder, type Scope } from '../../cluster/scope.ts';
import { makeServerFolder } from '../../cluster/user.ts';
import { feedPath } from '../data/datasets.ts';
import type { Subject } from '../rounds/rounds.ts';
import { subjectFor } from '../rounds/subjects.ts';
import { pin } from '../servers/cores.ts';
import { type Server, startOurs } from '../servers/servers.ts';

const GROUP = 'Cached';
const FEED = feedPath('hot', 1);
/** The micro-cache's lifetime; a run must be long enough to include misses. */
const CACHED_MS = 1_000;

export async function prepareFront(scope: Scope, databaseUrl: string): Promise<Subject> {
  const behind = await startOurs(scope, { DATABASE_URL: databaseUrl, OPS_PORT: '0' });
  return await subjectFor({
    group: GROUP,
    id: 'micro-cache',
    name: 'through the nginx micro-cache',
    server: await startMicroCache(scope, behind),
    target: { path: FEED },
    example: FEED,
    status: 200,
    alsoPids: [behind.pid],
    millisecondsMin: CACHED_MS,
    comparedWith: 'nginx',
    goal: { atLeast: 0.8 },
  });
}

/** The nginx site of `deploy/` with one worker and a log, like the nginx that it is compared with. */
async function startMicroCache(scope: Scope, behind: Server): Promise<Server> {
  const folder = makeServerFolder();
  scope.after(() => removeFolder(folder));
  const accessLog = path.join(folder, 'access.log');
  const nginx = await startNginx(scope, [behind.port], { workers: 1, accessLog });
  pin('server', nginx.pid());
  return {
    pid: nginx.pid(),
    address: nginx.address,
    port: nginx.port,
    opsAddress: null,
    cores: 'server',
    checkLog: () => {
      truncateSync(accessLog);
      behind.checkLog();
    },
    stop: nginx.stop,
  };
}
