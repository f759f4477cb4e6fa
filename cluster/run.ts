// `npm run cluster`: a cluster to try things with, until Ctrl-C.
import { waitForStopSignal } from '../src/serve/listen.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { ensureServers } from './debian.ts';
import { guide } from './guide.ts';
import { openScope } from './scope.ts';

const scope = openScope();
try {
  await ensureServers(['postgres', 'redis', 'nginx']);
  const stop = waitForStopSignal(() => process.exit(1));
  say('starting PostgreSQL with a standby, Redis, three nodes and nginx …');
  const cluster = await startCluster(scope, { LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent' });
  process.stdout.write(guide(cluster));
  const stopReporting = reportExits(cluster);
  await stop;
  stopReporting();
  say('stopping …');
} catch (error) {
  say((error as Error).message);
  process.exitCode = 1;
} finally {
  await scope.close();
}

/** Reports nodes that exit, and prints their logs (LOG_LEVEL); returns a function that stops the reports. */
function reportExits({ nodes }: Cluster): () => void {
  let watching = true;
  for (const [index, { child, exited }] of nodes.entries()) {
    child.stderr.pipe(process.stderr);
    exited.then(({ code, signal }) => {
      if (watching) say(`node ${index + 1} exited with ${signal ?? code}`);
    });
  }
  return () => {
    watching = false;
  };
}

function say(text: string): void {
  process.stderr.write(`cluster: ${text}\n`);
}
