// The widget as one small file: `client/widget.min.js`, which the server sends as `/widget.js`, and the same with a place
// for the words of another language, `client/widget.words.min.js`.
import path from 'node:path';
import { build, type Plugin, transform } from 'esbuild';
import { WORDS_PLACE } from '../src/present/widget.ts';

const FOLDER = path.resolve(import.meta.dirname, '../client');
/** Brotli takes fewer bytes with these at the start. */
const ENTRY = `${['style', 'html', 'storage', 'texts'].map((name) => `import './widget/${name}.js';`).join('')}export * from './widget.js'`;
const SMALL = {
  minify: true,
  // Modules are always UTF-8.
  charset: 'utf8',
  format: 'esm',
  // Browsers that have `popover` have all of it.
  target: 'es2022',
} as const;

export const bundleWidget = () => bundle([]);
export const bundleWidgetForWords = () => bundle([WORDS_FROM_SERVER]);

/** In place of `client/widget/texts.js`. A global name is one that the bundler leaves as it is. */
const WORDS_FROM_SERVER: Plugin = {
  name: 'words',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\/widget\/texts\.js$/ }, () => ({
      contents: `export const { KINDS, TEXTS, LANGUAGE, IS_STATIC } = ${WORDS_PLACE}`,
    })),
};

async function bundle(plugins: Plugin[]): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: ENTRY, resolveDir: FOLDER },
    bundle: true,
    ...SMALL,
    // The package says that these files do nothing by themselves, and then the bundler would leave them where they are.
    ignoreAnnotations: true,
    plugins,
    write: false,
  });
  const bundled = outputFiles.map(({ text }) => text).join('');
  // Once more, for names without those that the first time has left out.
  const { code } = await transform(bundled, SMALL);
  // The lines of the style sheet are left as they are.
  return code.replaceAll('}\n', '}');
}
