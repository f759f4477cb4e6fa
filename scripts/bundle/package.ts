// Writes `dist`: the bundle of the published package and of the image, with the licences of what is bundled and the bill of
// materials.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { bundleProgram } from './bundle.ts';
import { writeSbom } from './sbom.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const [folder = path.join(ROOT, 'dist')] = process.argv.slice(2);

rmSync(folder, { recursive: true, force: true });
const { inputs } = await bundleProgram(folder);
const packages = Object.keys(inputs).flatMap(
  (file) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? [],
);
const licences = [...new Set(packages)].sort().map(licenceOf);
writeFileSync(
  path.join(folder, 'LICENSES.txt'),
  `These files contain the packages below.\n\n${licences.join('\n\n')}`,
);
writeFileSync(path.join(folder, 'sbom.cdx.json'), writeSbom());

function licenceOf(place: string): string {
  const { name, version, license } = JSON.parse(readFileSync(path.join(ROOT, place, 'package.json'), 'utf8'));
  const file = readdirSync(path.join(ROOT, place)).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file === undefined ? '' : readFileSync(path.join(ROOT, place, file), 'utf8').trim();
  return `== ${name} ${version}: ${license}\n\n${text}\n`;
}
