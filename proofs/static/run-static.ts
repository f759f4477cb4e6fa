// The full run: the site of a changelog with very many versions is built twice.
import { openScope } from '../../cluster/scope.ts';
import { countFor } from '../arguments.ts';
import { buildTwice, describeBuild } from './large-site.ts';

const versions = countFor('static');
const scope = openScope();
try {
  const [first, second] = await buildTwice(scope, versions);
  if (first) console.log(describeBuild(first));
  if (second) console.log(`built again: ${describeBuild(second)}`);
} finally {
  await scope.close();
}
