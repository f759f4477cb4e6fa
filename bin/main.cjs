// The program of a checkout: the bundle if it is current, otherwise the sources. `node src/main.ts` always runs the sources.
'use strict';

const { enableCompileCache } = require('node:module');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { findBundle, makeBundle } = require('./bundle.cjs');

const bundle = findBundle();
if (bundle !== null) {
  // In the folder of the bundle, since it is of no use without it.
  if (enableCompileCache) enableCompileCache(path.join(bundle, 'compiled'));
  import(pathToFileURL(path.join(bundle, 'main.mjs')).href);
} else {
  makeBundle();
  import(pathToFileURL(path.resolve(__dirname, '../src/main.ts')).href);
}
