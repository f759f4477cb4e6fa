import { type Cluster, DATABASE } from './cluster.ts';
import type { PostgresServer } from './postgres.ts';

const FEED = 'teams/acme/products/rocket/changelog';

/** Where everything is, and what to try with it, as lines to paste. */
export function guide({ primary, standby, redis, nodes, nginx, key }: Cluster): string {
  const [first] = nodes;
  const publicFeed = (address: string) => `${address}/api/v1/public/${FEED}`;
  const bearer = `-H 'Authorization: Bearer ${key}'`;
  const teamFeed = `${nginx.address}/api/v1/${FEED}`;
  const statuses = `for i in $(seq 20); do curl -so /dev/null -w '%{http_code} ' ${bearer} ${teamFeed}; done; echo`;
  const rename = `UPDATE teams SET name = 'Acme, renamed' WHERE slug = 'acme'`;
  return `The cluster is up. Ctrl-C stops all of it and removes what it wrote.

  nginx      ${nginx.address}
${nodes.map((node, index) => `  node ${index + 1}     ${node.address}  pid ${node.pid}  operations on ${node.opsAddress}`).join('\n')}
  primary    ${primary.url(DATABASE)}  pid ${primary.pid()}
  standby    ${standby.url(DATABASE)}  pid ${standby.pid()}
  Redis      ${redis.url}  pid ${redis.pid()}

What anybody may read. Twice within a second, and X-Cache-Status says HIT:
  curl -i ${publicFeed(nginx.address)}
The same with a key, drafts included; nginx keeps nothing of it:
  curl -i ${bearer} ${teamFeed}
What a node counts:
  curl -s ${first?.opsAddress}/metrics
Plain SQL on the primary. The nodes show it within a second, nginx within three:
  psql '${primary.url(DATABASE)}' -c "${rename}"; sleep 1; curl -s ${publicFeed(first?.address ?? '')}
Kill a node. nginx asks the others, and no request fails; the node stays dead, since nothing here starts it again:
  kill -KILL ${first?.pid}; ${statuses}
Hang the primary. Reads go on from the standby:
  kill -STOP ${family(primary)}; ${statuses}
Hang the standby, too. Public answers that a node holds go on for up to 60 s, all else is 503 within 2 s:
  kill -STOP ${family(standby)}; ${statuses}
Let both go on. Within 2 s everything is answered again:
  kill -CONT ${family(primary)} ${family(standby)}; sleep 2; ${statuses}
Stop the primary for good. Reads go on from the standby, and commands that write are refused:
  kill -INT ${primary.pid()}; ${statuses}
`;
}

/** A server and its children, as words of a shell. */
function family({ pid }: PostgresServer): string {
  return `${pid()} $(cat /proc/${pid()}/task/${pid()}/children)`;
}
