// `npm run cluster`: a cluster to try things with, until Ctrl-C.
import { waitForStopSignal } from '../src/serve/listen.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { ensureServers } from './debian.ts';
import { guide } from './guide.ts';
import { outputClosed } from './output.ts';
import { openScope } from './scope.ts';

const USAGE = `usage: npm run cluster

Starts a cluster on loopback: PostgreSQL with a standby, Redis, three nodes and nginx. Prints the URL of each, a key and
commands to try. Runs until Ctrl-C, then stops everything and deletes its files. Missing servers are installed from
Debian's packages when run as root.

LOG_LEVEL=info npm run cluster also prints the logs of the nodes.
`;

readArguments(process.argv.slice(2));
const scope = openScope();
try {
  await ensureServers(['postgres', 'redis', 'nginx']);
  const stop = Promise.race([waitForStopSignal(() => process.exit(1)), outputClosed()]);
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

function readArguments(args: readonly string[]): void {
  if (args.length === 0) return;
  const wantsHelp = args.some((arg) => arg === '--help' || arg === '-h');
  if (wantsHelp) process.stdout.write(USAGE);
  else process.stderr.write(`unknown argument "${args[0]}"\n${USAGE}`);
  process.exit(wantsHelp ? 0 : 2);
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
