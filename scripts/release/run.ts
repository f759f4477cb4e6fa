// `npm run release VERSION` commits and tags a release; `npm run release -- --verify TAG` checks a tag before it is published.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { release, tagProblem } from './release.ts';

const root = path.resolve(import.meta.dirname, '../..');
const run = (program: string, ...args: string[]) =>
  spawnSync(path.join(root, program), args, { cwd: root, stdio: 'inherit' }).status === 0;

const [first, tag, ...more] = process.argv.slice(2);
if (first === '--verify' && tag !== undefined && more.length === 0) {
  finish(tagProblem(tag, { root, run }), `${tag} can be published`);
} else if (first !== undefined && tag === undefined) {
  const date = new Date().toISOString().slice(0, 10);
  const next = `committed and tagged v${first}
  to publish it: git push origin main v${first}`;
  finish(release(first, { root, date, run }), next);
} else {
  process.stderr.write('usage: npm run release VERSION, or npm run release -- --verify TAG\n');
  process.exitCode = 2;
}

function finish(problem: string | null, done: string): void {
  if (problem === null) console.log(done);
  else process.stderr.write(`release: ${problem}\n`);
  process.exitCode = problem === null ? 0 : 1;
}
