// Bundles the program: its sources and the packages that they use, in one file for each set of modules that is loaded
// together.
import { builtinModules } from 'node:module';
import path from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';

const ROOT = path.resolve(import.meta.dirname, '../..');
const BUILTIN = 'builtin';
/** An `import` reads every property of a module. These have some that load a lot: an HTTP client, Web Cryptography. */
const READ_LAZILY = new Set(['http', 'https', 'crypto']);

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

/** Modules of Node.js stay imports, unless a package requires them or they are read lazily. */
const builtins: Plugin = {
  name: 'builtins',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^[\w:/]+$/ }, ({ path: id, kind }) => {
      const name = id.replace(/^node:/, '');
      if (!builtinModules.includes(name)) return;
      const isImport = kind !== 'require-call' && !READ_LAZILY.has(name);
      return isImport ? { path: `node:${name}`, external: true } : { path: name, namespace: BUILTIN };
    });
    onLoad({ filter: /./, namespace: BUILTIN }, ({ path: name }) => ({
      contents: `module.exports = process.getBuiltinModule('${name}');`,
    }));
  },
};
