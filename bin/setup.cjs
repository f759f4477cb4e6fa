// Installs what this project needs: its dependencies, and a recent enough Node.js.
'use strict';

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { findBundle } = require('./bundle.cjs');

const ROOT = path.resolve(__dirname, '..');
const PLATFORM = `${process.platform}-${process.arch}`;
// A lockfile for each platform: in a common one, Node.js would be optional, and npm exits with 0 without it.
const RUNTIME = path.join(ROOT, 'runtime', PLATFORM);
const PINNED = `node-${PLATFORM}`;
const NODE_MAJOR_MIN = 24;
/** They interrupt setup. Later, they are forwarded to the program. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2'];
const DISK_FULL = ['ENOSPC', 'EDQUOT'];
const READ_ONLY = ['EACCES', 'EPERM', 'EROFS'];

/** The path of a recent enough Node.js: the running one, or the pinned one. */
function nodePath() {
  return isRecent() ? process.execPath : path.join(RUNTIME, 'node_modules', PINNED, 'bin', 'node');
}

function isRecent() {
  return Number.parseInt(process.versions.node, 10) >= NODE_MAJOR_MIN;
}

/** The folders whose lockfiles have yet to be installed. */
function missingParts() {
  const parts = [];
  // The published package has no lockfile: npm has installed its dependencies along with it. A bundle was made of what is
  // installed: as long as it is current, the lockfile does not have to be read.
  if (fs.existsSync(path.join(ROOT, 'package-lock.json')) && findBundle() === null) parts.push(ROOT);
  if (!isRecent()) parts.push(RUNTIME);
  return parts.filter((folder) => !isInstalled(folder));
}

async function setUp(parts) {
  if (parts.includes(RUNTIME)) requireDownload();
  const interruption = new AbortController();
  const onSignal = (signal) => interruption.abort(interrupted(signal));
  const ignore = () => {};
  for (const signal of SIGNALS) process.on(signal, onSignal);
  // A terminal that was closed, or `| head`, must not end this process before it has released its lock.
  process.stderr.on('error', ignore);
  // Packages are public: root installs them for other users, too, whatever files root otherwise shares.
  const umask = process.umask(0o022);
  for (const folder of parts) await ensureInstalled(folder, interruption.signal);
  // Not after a failure: npm repeats the signals of a terminal, and the second one would cut off the error message.
  for (const signal of SIGNALS) process.off(signal, onSignal);
  process.stderr.off('error', ignore);
  process.umask(umask);
}

function requireDownload() {
  if (fs.existsSync(RUNTIME) && runsGlibc()) return;
  throw new Error(
    `Node.js ${NODE_MAJOR_MIN} or later is required, but this is ${process.version}, and there is no ` +
      `download for ${process.platform} ${process.arch}; install Node.js ${NODE_MAJOR_MIN} and run this again`,
  );
}

function runsGlibc() {
  return Boolean(process.report.getReport().header.glibcVersionRuntime);
}

function interrupted(signal) {
  const error = new Error(`setup was interrupted by ${signal}; run this again to continue`);
  return Object.assign(error, { exitCode: 128 + os.constants.signals[signal] });
}

/** Installs the packages of a folder's lockfile, and leaves a stamp with the hash of that lockfile. */
async function ensureInstalled(folder, interruption) {
  const { takeLock } = require('./lock.cjs');
  const { npmCi } = require('./npm.cjs');
  const { withProgress } = require('./progress.cjs');
  try {
    const release = await takeLock(path.join(folder, '.changelog-setup.lock'), interruption);
    try {
      if (isInstalled(folder)) return;
      interruption.throwIfAborted();
      const why = folder === RUNTIME ? ` (${process.version} is too old)` : '';
      await withProgress(`installing ${contentsOf(folder)}${why}`, () => npmCi(folder, interruption));
      fs.writeFileSync(stampPath(folder), lockfileHash(folder));
    } finally {
      release();
    }
  } catch (error) {
    const isWriteError = [...DISK_FULL, ...READ_ONLY].includes(error.code);
    throw isWriteError ? new Error(explainWriteError(error, folder)) : error;
  }
}

function contentsOf(folder) {
  if (folder === ROOT) return 'the dependencies';
  return `Node.js ${require(path.join(RUNTIME, 'package.json')).dependencies[PINNED]}`;
}

function stampPath(folder) {
  return path.join(folder, 'node_modules', '.changelog-setup');
}

function lockfileHash(folder) {
  const { createHash } = require('node:crypto');
  return createHash('sha256')
    .update(fs.readFileSync(path.join(folder, 'package-lock.json')))
    .digest('hex');
}

function isInstalled(folder) {
  try {
    return fs.readFileSync(stampPath(folder), 'utf8') === lockfileHash(folder);
  } catch {
    return false;
  }
}

/** Why nothing can be installed in a folder, and what to do about it. */
function explainWriteError({ code, path: file }, folder) {
  const failure = `cannot install ${contentsOf(folder)}`;
  if (DISK_FULL.includes(code))
    return `${failure}: the disk is full (${folder}); free some space and run this again`;
  if (file && path.relative(folder, file).startsWith('..'))
    return `${failure}: npm cannot write to ${file} (${code}); make it writable, or set npm_config_cache to a folder that is`;
  const once = `run \`${shellWord(path.join(ROOT, 'bin', 'changelog'))} --version\` once`;
  const otherwise = folder === RUNTIME ? `, or install Node.js ${NODE_MAJOR_MIN} or later` : '';
  if (code === 'EROFS') return `${failure}: ${folder} is read-only; ${once} while it is writable${otherwise}`;
  const owner = fs.statSync(folder).uid;
  const remedy =
    owner === process.getuid()
      ? 'make it writable and run this again'
      : `${once} as ${owner === 0 ? 'root' : 'the user who owns it'}`;
  return `${failure}: this user may not write to ${folder} (${code}); ${remedy}${otherwise}`;
}

/** Quotes a word for a command to copy into a shell. Nobody can type a control character, and a terminal would obey it. */
function shellWord(text) {
  const shown = text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, '?');
  return /^[\w./@%+=:,-]+$/.test(shown) ? shown : `'${shown.replace(/'/g, "'\\''")}'`;
}

module.exports = { ROOT, SIGNALS, missingParts, nodePath, setUp, shellWord };
