import { type Cluster, DATABASE } from './cluster.ts';
import type { PostgresServer } from './postgres.ts';

const FEED = 'teams/acme/products/rocket/changelog';

/** What runs where, and commands to try. */
export function guide({ primary, standby, redis, nodes, nginx, key }: Cluster): string {
  const [first] = nodes;
  const last = nodes.at(-1);
  const publicFeed = (address: string) => `${address}/api/v1/public/${FEED}`;
  const bearer = `-H 'Authorization: Bearer ${key}'`;
  const teamFeed = `${nginx.address}/api/v1/${FEED}`;
  const statuses = statusesOf(`${bearer} ${teamFeed}`);
  const rename = (name: string) =>
    `psql '${primary.url(DATABASE)}' -c "UPDATE teams SET name = '${name}' WHERE slug = 'acme'"`;
  return `The cluster is running. Press Ctrl-C to stop it and delete its files.

  nginx      ${nginx.address}
${nodes.map((node, index) => `  node ${index + 1}     ${node.address}  pid ${node.pid}  operations on ${node.opsAddress}`).join('\n')}
  primary    ${primary.url(DATABASE)}  pid ${primary.pid()}
  standby    ${standby.url(DATABASE)}  pid ${standby.pid()}
  Redis      ${redis.url}  pid ${redis.pid()}

Read a public changelog. If you run this twice within a second, X-Cache-Status is HIT:
  curl -i ${publicFeed(nginx.address)}
Read it with a key, drafts included. nginx does not cache this:
  curl -i ${bearer} ${teamFeed}
Read the metrics of a node:
  curl -s ${first?.opsAddress}/metrics
Change content with SQL on the primary. The nodes return the change within one second, nginx within three:
  ${rename('Acme, renamed')}; sleep 1; curl -s ${publicFeed(first?.address ?? '')}
Kill a node. nginx uses the others, and no request fails. Nothing restarts the node here:
  kill -KILL ${last?.pid}; ${statuses}
Suspend the primary. Reads continue from the standby:
  kill -STOP ${family(primary)}; ${statuses}
Suspend both. After 2 s, every request with a key gets 503 (first line), and a cached public response is still served
(second line), for up to 60 s:
  curl -s ${nodes.map(({ address }) => publicFeed(address)).join(' ')} >/dev/null; kill -STOP ${family(primary)} ${family(standby)}; sleep 2; ${statuses}; ${statusesOf(publicFeed(nginx.address))}
Resume both. After 2 s, every request succeeds again:
  kill -CONT ${family(primary)} ${family(standby)}; sleep 2; ${statuses}
Stop the primary. Reads continue from the standby, and nothing can be written:
  kill -INT ${primary.pid()}; ${statuses}; ${rename('Acme')}
`;
}

/** Longer than a node needs to notice that a database is down. */
function statusesOf(target: string): string {
  return `for i in $(seq 15); do curl -so /dev/null -w '%{http_code} ' ${target}; sleep 0.1; done; echo`;
}

/** The pids of a server and its children, as shell arguments. */
function family({ pid }: PostgresServer): string {
  return `${pid()} $(cat /proc/${pid()}/task/${pid()}/children)`;
}
