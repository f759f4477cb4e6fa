// `npm run generate` writes every generated file, `npm run generate NAME` one of them. `npm run generate fixture COMMIT`
// writes the databases and responses of a release for the upgrade test.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { GENERATED, type GeneratedName } from './generated.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const NAMES = Object.keys(GENERATED) as GeneratedName[];

const [wanted, ...more] = process.argv.slice(2);
const [commit] = wanted === 'fixture' ? more : [];
const chosen = NAMES.filter((name) => wanted === undefined || name === wanted);
if (commit !== undefined && more.length === 1 && /^[\w.-]+$/.test(commit)) {
  const { makeReleaseFixture } = await import('./release-fixture/make.ts');
  await makeReleaseFixture(commit);
} else if (chosen.length === 0 || more.length > 0) {
  process.stderr.write(`usage: npm run generate [${NAMES.join('|')}|fixture COMMIT]\n`);
  process.exitCode = 2;
}
for (const name of more.length === 0 ? chosen : []) {
  const { file, write } = GENERATED[name];
  writeFileSync(path.join(ROOT, file), write());
  console.log(`wrote ${file}`);
}
