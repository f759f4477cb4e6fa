// Bundles the program: its sources and the packages that they use, in one file for each set of modules that is loaded
// together.
import { builtinModules } from 'node:module';
import path from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';

const ROOT = path.resolve(import.meta.dirname, '../..');
/**
 * An `import` reads every property of a module. These have some that load a lot: an HTTP client, Web Cryptography, streams
 * of files, reports.
 */
const READ_IN_PART = new Set(['buffer', 'crypto', 'fs', 'http', 'https', 'process', 'util']);

/** Returns what was bundled. Names stay as they are, so that stack traces can be read. */
export async function bundleProgram(folder: string): Promise<Metafile> {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: {
      main: 'src/main.ts',
      // The renderer starts this file, which is beside its own.
      'render-thread': 'src/present/html/render-thread.ts',
    },
    outdir: folder,
    // Node.js would look for a package.json in every folder above each file with another extension.
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    // Otherwise literals with `\p` become `new RegExp`, which V8 does not cache as part of the code.
    supported: { 'regexp-unicode-property-escapes': true },
    // It has a native part.
    external: ['better-sqlite3'],
    plugins: [builtins],
    metafile: true,
    logLevel: 'silent',
  });
  return metafile;
}

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
