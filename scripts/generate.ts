// `npm run generate` writes every generated file, `npm run generate NAME` one of them, and `npm run generate site` our own
// changelog as a static site, which git ignores.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { GENERATED } from './generated.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const NAMES = Object.keys(GENERATED);

const [wanted, ...more] = process.argv.slice(2);
const SITE = ['build', 'CHANGELOG.md', '--name', 'changelog-read-api', '--out', 'docs/changelog'];
const chosen = Object.entries(GENERATED).filter(([name]) => wanted === undefined || name === wanted);
if (wanted === 'site') {
  const options = { cwd: ROOT, stdio: 'inherit' } as const;
  process.exitCode = spawnSync(path.join(ROOT, 'bin/changelog'), [...SITE, ...more], options).status ?? 1;
} else if (chosen.length === 0 || more.length > 0) {
  process.stderr.write(`usage: npm run generate [${NAMES.join('|')}|site]\n`);
  process.exitCode = 2;
}
for (const [name, { file, write, draw }] of more.length === 0 ? chosen : []) {
  const target = path.join(ROOT, file);
  const text = await write();
  if (draw && (name === wanted || !existsSync(target) || readFileSync(target, 'utf8') !== text)) await draw();
  writeFileSync(target, text);
  console.log(`wrote ${file}`);
}
