// Bundles the program: its sources and the packages that they use, in one file for each set of modules that is loaded
// together.
import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** What every command loads, and what most commands for files do. */
const COMMON = [
  'src/cli/program.ts',
  'src/cli/arguments.ts',
  'src/cli/files/open-file.ts',
  'src/cli/report/dates.ts',
  'src/cli/report/outcomes.ts',
];
/**
 * An `import` reads every property of a module. These have some that load a lot: an HTTP client, Web Cryptography, streams
 * of files, reports.
 */
const READ_IN_PART = new Set(['buffer', 'crypto', 'fs', 'http', 'https', 'process', 'util']);

/** Returns what was bundled. Names stay as they are, so that stack traces can be read. */
export async function bundleProgram(folder: string): Promise<Metafile> {
  const options = {
    absWorkingDir: ROOT,
    entryPoints: { main: 'src/main.ts' },
    outdir: folder,
    // Node.js would look for a package.json in every folder above each file with another extension.
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    // Otherwise literals with `\p` become `new RegExp`, which takes longer.
    supported: { 'regexp-unicode-property-escapes': true },
    // It has a native part.
    external: ['better-sqlite3'],
    metafile: true,
    logLevel: 'silent',
  } as const satisfies BuildOptions;
  const separate = await build({ ...options, plugins: [builtins], write: false });
  const plugins = [importingCommon(lazyFiles(separate.metafile)), builtins];
  return (await build({ ...options, plugins })).metafile;
}

/** The sources that are loaded with `import()`. */
function lazyFiles({ inputs }: Metafile): ReadonlySet<string> {
  const all = Object.values(inputs).flatMap(({ imports }) => imports);
  return new Set(all.flatMap(({ kind, path: file }) => (kind === 'dynamic-import' ? [file] : [])));
}

/**
 * esbuild makes a file for each set of lazy files that share a module. What they all import becomes one file, instead of
 * many small ones that are all loaded at every start.
 */
const importingCommon = (lazy: ReadonlySet<string>): Plugin => ({
  name: 'common',
  setup: ({ onLoad }) => {
    const imports = COMMON.map((file) => `\nimport ${JSON.stringify(path.join(ROOT, file))};`).join('');
    onLoad({ filter: /\.ts$/ }, ({ path: file }) =>
      lazy.has(path.relative(ROOT, file))
        ? { contents: readFileSync(file, 'utf8') + imports, loader: 'ts' }
        : undefined,
    );
  },
});

/** Modules of Node.js stay imports, unless a package requires them or they are read in part. */
const builtins: Plugin = {
  name: 'builtins',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^[\w:/]+$/ }, ({ path: id, kind, importer }) => {
      const name = id.replace(/^node:/, '');
      if (!builtinModules.includes(name)) return;
      if (kind === 'require-call') return { path: name, namespace: 'required' };
      // It would run commands that are programs of their own; there are none.
      if (name === 'child_process' && importer.includes('/commander/'))
        return { path: name, namespace: 'unused' };
      return READ_IN_PART.has(name)
        ? { path: name, namespace: 'imported' }
        : { path: `node:${name}`, external: true };
    });
    onLoad({ filter: /./, namespace: 'required' }, ({ path: name }) => ({
      contents: `module.exports = process.getBuiltinModule('${name}');`,
    }));
    onLoad({ filter: /./, namespace: 'imported' }, ({ path: name }) => ({
      contents: [
        `const all = process.getBuiltinModule('${name}');`,
        'export default all;',
        // esbuild drops those that nothing imports.
        ...Object.keys(process.getBuiltinModule(name) ?? {}).map(
          (key) => `export const ${key} = /* @__PURE__ */ (() => all.${key})();`,
        ),
      ].join('\n'),
    }));
    onLoad({ filter: /./, namespace: 'unused' }, () => ({ contents: 'export default {};' }));
  },
};
