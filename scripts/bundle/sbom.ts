// The software bill of materials of the package, in CycloneDX: all production packages of the lockfile. `npm sbom --omit dev`
// would leave out those that development needs, too.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';

const LOCKFILE = path.resolve(import.meta.dirname, '../../package-lock.json');

type Locked = Readonly<{
  name?: string;
  version: string;
  license?: string;
  integrity?: string;
  dev?: boolean;
  optional?: boolean;
  dependencies?: Readonly<Record<string, string>>;
  optionalDependencies?: Readonly<Record<string, string>>;
}>;
type Packages = Readonly<Record<string, Locked>>;

/** What an installation without `devDependencies` has, by its folder; that of this package is the first, and empty. */
export function productionPackages(): Packages {
  const { packages } = JSON.parse(readFileSync(LOCKFILE, 'utf8')) as { packages: Packages };
  return Object.fromEntries(Object.entries(packages).filter(([, { dev }]) => !dev));
}

/** The name is the end of the folder. */
export function nameOf(folder: string): string {
  return folder.replace(/^.*node_modules\//, '');
}

/** The same lockfile gives the same bytes: there is no timestamp, and the serial number follows from the rest. */
export function writeSbom(packages = productionPackages()): string {
  const [own, ...components] = Object.entries(packages).map(([folder, each]) => {
    const name = each.name ?? nameOf(folder);
    return {
      type: folder === '' ? 'application' : 'library',
      'bom-ref': folder === '' ? name : folder,
      name,
      version: each.version,
      ...(each.optional && { scope: 'optional' }),
      ...(each.integrity && { hashes: [hashOf(each.integrity)] }),
      ...(each.license && { licenses: [{ license: { id: each.license } }] }),
      purl: `pkg:npm/${name.replace('@', '%40')}@${each.version}`,
    };
  });
  const dependencies = Object.keys(packages).map((folder) => ({
    ref: folder === '' ? own?.name : folder,
    dependsOn: foldersRequiredBy(packages, folder),
  }));
  const content = { metadata: { component: own }, components, dependencies };
  const head = { bomFormat: 'CycloneDX', specVersion: '1.6', serialNumber: serialOf(content), version: 1 };
  return `${JSON.stringify({ ...head, ...content }, null, 2)}\n`;
}

/** Looks for each package as Node.js does: in the nearest `node_modules`. */
function foldersRequiredBy(packages: Packages, folder: string): string[] {
  const { dependencies, optionalDependencies } = packages[folder] as Locked;
  const bases = [folder];
  for (let base = folder; base !== ''; bases.push(base))
    base = base.replace(/(?:^|\/)node_modules\/(?!.*node_modules\/).*$/, '');
  return Object.keys({ ...dependencies, ...optionalDependencies }).flatMap((name) => {
    const candidates = bases.map((base) => path.posix.join(base, 'node_modules', name));
    return candidates.find((candidate) => Object.hasOwn(packages, candidate)) ?? [];
  });
}

/** From `sha512-` and Base64, as npm writes it. */
function hashOf(integrity: string): { alg: string; content: string } {
  const [algorithm = '', encoded = ''] = integrity.split('-');
  return { alg: algorithm.replace('sha', 'SHA-'), content: Buffer.from(encoded, 'base64').toString('hex') };
}

/** A UUID of version 8, whose bits are free. */
function serialOf(content: unknown): string {
  const hash = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  return hash.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, 'urn:uuid:$1-$2-8$3-8$4-$5');
}
