// The bundle of a checkout: the sources and the packages that they use, as a few files that Node.js loads quickly.
// It is used only while every source is as it was when the bundle was made.
'use strict';

const fs = require('node:fs');
const path = require('node:path');

const ROOT = path.resolve(__dirname, '..');
const FOLDER = path.join(ROOT, '.cache', 'bundle');
/** Its first line is the folder of the current bundle, the others are the sources of that bundle. */
const MANIFEST = path.join(FOLDER, 'manifest');
/** Exists while a bundle is made. */
const BUILDING = path.join(FOLDER, 'building');
/** One that was not made by then has failed, and is tried again. */
const BUILDING_MS_MAX = 60_000;
const BUILDER = path.join(ROOT, 'scripts', 'bundle', 'make.ts');
/** What a bundle is made from, and what makes it. npm writes the second lockfile whenever it installs. */
const SOURCES = [
  'src',
  'locales',
  'client/index.js',
  'bin/bundle.cjs',
  'scripts/bundle',
  'package-lock.json',
  'node_modules/.package-lock.json',
];

/** The folder of the bundle, or null if there is none of the sources as they were at the first call. */
function findBundle() {
  if (found === undefined) found = lookForBundle();
  return found;
}

let found;

function lookForBundle() {
  try {
    const manifest = fs.readFileSync(MANIFEST, 'utf8');
    const end = manifest.indexOf('\n');
    const folder = path.join(FOLDER, manifest.slice(0, end));
    const isCurrent = manifest.slice(end + 1) === listSources();
    return isCurrent && fs.existsSync(path.join(folder, 'main.mjs')) ? folder : null;
  } catch {
    return null;
  }
}

/** One line for each source. The kernel sets `ctime` at every change; no program can set it back. */
function listSources() {
  const lines = [];
  const list = (name) => {
    // `path.join` would take as long as all the rest, at every start.
    const file = `${ROOT}/${name}`;
    const stats = fs.statSync(file);
    if (stats.isDirectory()) for (const entry of fs.readdirSync(file)) list(`${name}/${entry}`);
    else lines.push(`${name} ${stats.size} ${stats.mtimeMs} ${stats.ctimeMs}`);
  };
  for (const name of SOURCES) list(name);
  return lines.join('\n');
}

/** Makes a bundle for later starts, in the background. Until then, and if that fails, the sources are used. */
function makeBundle() {
  if (!fs.existsSync(path.join(ROOT, 'node_modules', 'esbuild')) || !claim()) return;
  const env = { ...process.env };
  delete env.NODE_OPTIONS;
  const { spawn } = require('node:child_process');
  // The shell exits at once, so that a server has no child process besides its workers.
  const args = ['-c', 'nice -n 19 "$0" "$1" &', process.execPath, BUILDER];
  const shell = spawn('sh', args, { cwd: ROOT, env, detached: true, stdio: 'ignore' });
  shell.on('error', () => {});
  shell.unref();
}

/** Only one process makes a bundle, and none in a folder that cannot be written. */
function claim() {
  try {
    fs.mkdirSync(FOLDER, { recursive: true });
    if (ageMsOf(BUILDING) > BUILDING_MS_MAX) fs.rmSync(BUILDING, { force: true });
    fs.closeSync(fs.openSync(BUILDING, 'wx'));
    return true;
  } catch {
    return false;
  }
}

function ageMsOf(file) {
  try {
    return Date.now() - fs.statSync(file).mtimeMs;
  } catch {
    return 0;
  }
}

module.exports = { BUILDER, BUILDING, FOLDER, MANIFEST, findBundle, listSources, makeBundle };
