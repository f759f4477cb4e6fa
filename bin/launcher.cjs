// Installs the dependencies and a recent enough Node.js if they are missing, then runs a program of this project.
// Plain JavaScript without dependencies: only this file has to work on an old Node.js.
'use strict';

const { spawn } = require('node:child_process');
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const ROOT = path.resolve(__dirname, '..');
const PLATFORM = `${process.platform}-${process.arch}`;
// One lockfile for each platform: npm ignores it if an optional package of a common lockfile cannot be installed.
const RUNTIME = path.join(ROOT, 'runtime', PLATFORM);
const PINNED = `node-${PLATFORM}`;
const NODE_MAJOR_MIN = 24;
const LOCK_POLL_MS = 200;
const LOCK_AGE_MS_MAX = 15 * 60 * 1000;
/** A lock without a process id: its owner was killed while writing it. */
const UNOWNED_LOCK_AGE_MS_MAX = 2000;
const WRITE_ERRORS = ['EACCES', 'EPERM', 'EROFS'];
const DISK_FULL = ['ENOSPC', 'EDQUOT'];
const FORWARDED_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2'];

/** Runs `node ARGS` for this project: in this process if possible, otherwise in a child process. */
async function launch(args) {
  try {
    const missing = missingParts();
    // Tab completion must not wait for an installation whose progress would not be visible.
    if (missing.length > 0 && args[1] === 'complete') return;
    if (missing.length > 0) await setUp(missing);
    if (isRecent() && !args[0].startsWith('-')) return runHere(args);
    runIn(isRecent() ? process.execPath : path.join(RUNTIME, 'node_modules', PINNED, 'bin', 'node'), args);
  } catch (error) {
    process.stderr.write(`changelog: ${error.message}\n`);
    process.exitCode = error.exitCode ?? 1;
  }
}

function runHere([script, ...rest]) {
  process.argv = [process.execPath, script, ...rest];
  return import(require('node:url').pathToFileURL(script).href);
}

function runIn(node, args) {
  const child = spawn(node, ['--require', path.join(__dirname, 'tether.cjs'), ...args], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  for (const signal of FORWARDED_SIGNALS) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    process.stderr.write(`changelog: cannot run ${node}: ${error.message}\n`);
    process.exitCode = 1;
  });
  child.on('exit', (code, signal) => {
    process.exitCode = signal ? 128 + os.constants.signals[signal] : code;
  });
}

/** The folders whose lockfiles have yet to be installed. */
function missingParts() {
  const parts = [];
  // The published package has no lockfile: npm has installed its dependencies along with it.
  if (fs.existsSync(path.join(ROOT, 'package-lock.json'))) parts.push(ROOT);
  if (!isRecent()) parts.push(RUNTIME);
  return parts.filter((folder) => !isInstalled(folder));
}

function isRecent() {
  return majorOf(process.versions.node) >= NODE_MAJOR_MIN;
}

function majorOf(version) {
  return Number.parseInt(version, 10);
}

async function setUp(parts) {
  if (parts.includes(RUNTIME)) requireDownload();
  const interruption = new AbortController();
  const onSignal = (signal) => interruption.abort(interrupted(signal));
  const ignore = () => {};
  for (const signal of FORWARDED_SIGNALS) process.on(signal, onSignal);
  // A terminal that was closed, or `| head`, must not end this process before it has released its lock.
  process.stderr.on('error', ignore);
  // Packages are public: root installs them for other users, too, whatever files root otherwise shares.
  const umask = process.umask(0o022);
  for (const folder of parts) await ensureInstalled(folder, interruption.signal);
  // Not after a failure: npm repeats the signals of a terminal, and the second one would cut off the error message.
  for (const signal of FORWARDED_SIGNALS) process.off(signal, onSignal);
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
  try {
    const release = await takeLock(path.join(folder, '.changelog-setup.lock'), interruption);
    try {
      if (isInstalled(folder)) return;
      interruption.throwIfAborted();
      const why = folder === RUNTIME ? `, because ${process.version} is too old` : '';
      await withProgress(`installing ${contentsOf(folder)}${why}`, () => install(folder, interruption));
      fs.writeFileSync(stampPath(folder), lockfileHash(folder));
    } finally {
      release();
    }
  } catch (error) {
    throw error.syscall ? new Error(explainWrite(error.code, folder)) : error;
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

/** Keeps two concurrent first starts from installing over each other. */
async function takeLock(file, interruption) {
  if (!writeLock(file)) {
    const owner = ownerOf(file);
    await withProgress(
      `waiting for ${owner ? `process ${owner}` : 'another process'}, which is installing`,
      async () => {
        do {
          await new Promise((resolve) => setTimeout(resolve, LOCK_POLL_MS));
          interruption.throwIfAborted();
        } while (!writeLock(file));
      },
    );
  }
  return () => fs.rmSync(file, { force: true });
}

/** Returns whether the lock is ours. A lock whose owner has exited, or that is too old, is taken over. */
function writeLock(file) {
  try {
    createFile(file, String(process.pid));
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  if (!isAbandoned(file)) return false;
  fs.rmSync(file, { force: true });
  return writeLock(file);
}

/** Leaves no empty file behind if the disk is full. */
function createFile(file, text) {
  const descriptor = fs.openSync(file, 'wx');
  try {
    fs.writeSync(descriptor, text);
  } catch (error) {
    fs.rmSync(file, { force: true });
    throw error;
  } finally {
    fs.closeSync(descriptor);
  }
}

function isAbandoned(file) {
  const owner = ownerOf(file);
  // In containers, the next process often has the id of the last one.
  if (owner === process.pid || (owner > 0 && !isAlive(owner))) return true;
  return ageMsOf(file) > (owner > 0 ? LOCK_AGE_MS_MAX : UNOWNED_LOCK_AGE_MS_MAX);
}

function ageMsOf(file) {
  try {
    return Date.now() - fs.statSync(file).mtimeMs;
  } catch {
    return 0;
  }
}

/** The id of the process that holds a lock, or 0 if it cannot be read. */
function ownerOf(file) {
  try {
    return Number.parseInt(fs.readFileSync(file, 'utf8'), 10) || 0;
  } catch {
    return 0;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Install scripts stay off: every binary we need is inside its package. */
async function install(folder, interruption) {
  const flags = ['--ignore-scripts', '--include=dev', '--no-audit', '--no-fund', '--loglevel=warn'];
  const args = ['ci', ...flags, '--fetch-retry-mintimeout=1000'];
  const { code, signal, output } = await runNpm(args, folder, interruption);
  if (signal)
    throw new Error(
      `npm was ended by ${signal}; if this machine is short of memory, free some and run this again`,
    );
  // npm only warns of a file that it could not unpack.
  if (code !== 0 || output.includes('TAR_ENTRY_ERROR')) throw new Error(explainNpm(output, folder));
}

function runNpm(args, cwd, interruption) {
  const env = { ...process.env };
  // An outer `npm start` or `npm test` sets these; here they would point npm at the wrong folder.
  delete env.npm_config_local_prefix;
  delete env.npm_config_prefix;
  const npmScript = process.env.npm_execpath;
  const [command, first] = npmScript?.endsWith('.js') ? [process.execPath, [npmScript]] : ['npm', []];
  return new Promise((resolve, reject) => {
    // In a process group of its own: a Ctrl-C in a terminal reaches only this process, which then ends the whole group.
    const npm = spawn(command, [...first, ...args], {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let output = '';
    const keep = (chunk) => {
      output = (output + chunk).slice(-20000);
    };
    npm.stdout.on('data', keep);
    npm.stderr.on('data', keep);
    npm.on('error', () =>
      reject(new Error('npm not found; install Node.js together with npm and run this again')),
    );
    interruption.addEventListener('abort', () => killGroup(npm));
    // The lock is released only after npm has exited, so that no other process installs into the same folder.
    npm.on('close', (code) =>
      interruption.aborted ? reject(interruption.reason) : resolve({ code, output }),
    );
  });
}

/** At once: after any other signal, npm waits for its downloads. The next `npm ci` deletes what is there. */
function killGroup({ pid }) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has exited.
  }
}

function explainNpm(output, folder) {
  const network =
    /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|ENOTCACHED)\b/.exec(
      output,
    );
  if (network) {
    return `cannot reach the npm registry (${network[1]}); check the network and npm's registry and proxy settings, then run this again`;
  }
  // Until npm 10.6, each line began with `npm ERR!`.
  const lines = output
    .split('\n')
    .filter((line) => /^npm (error|ERR!)/.test(line) && !line.includes('A complete log'))
    .map((line) => line.replace(/^npm (error|ERR!) ?/, ''));
  const fieldOf = (name) => (lines.find((line) => line.startsWith(`${name} `)) || '').slice(name.length + 1);
  const full = DISK_FULL.find((code) => output.includes(code));
  if (full) return explainWrite(full, folder);
  if (WRITE_ERRORS.includes(fieldOf('code'))) return explainWrite(fieldOf('code'), folder, fieldOf('path'));
  const reason = lines
    .slice(0, 3)
    .join(' ')
    .replace(/^code /, '')
    .trim();
  return `npm ci failed in ${folder}: ${reason || 'no reason given'}; run it there to see its full output`;
}

/** Why nothing can be installed in a folder, and what to do about it. `file` is what npm could not write. */
function explainWrite(code, folder, file = '') {
  const failure = `cannot install ${contentsOf(folder)}`;
  if (DISK_FULL.includes(code)) {
    return `${failure}: the disk is full (${folder}); free some space and run this again`;
  }
  if (file && path.relative(folder, file).startsWith('..')) {
    return `${failure}: npm cannot write to ${file} (${code}); make it writable, or set npm_config_cache to a folder that is`;
  }
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

function shellWord(text) {
  return /^[\w./@%+=:,-]+$/.test(text) ? text : `'${text.replace(/'/g, "'\\''")}'`;
}

/** Prints one line; on a terminal, the line also counts the seconds. */
async function withProgress(what, work) {
  const line = `changelog: setting up: ${what}`;
  const onTerminal = process.stderr.isTTY;
  const start = onTerminal ? '\r\u001b[K' : '';
  const startedAt = Date.now();
  const seconds = () => Math.round((Date.now() - startedAt) / 1000);
  const count = (text) => process.stderr.write(`${start}${clip(line, text)}${text}`);
  const end = (text) => process.stderr.write(`${start}${line}${text}\n`);
  if (onTerminal) count(' …');
  else end(' …');
  const timer = onTerminal && setInterval(() => count(` … ${seconds()} s`), 1000);
  try {
    await work();
    end(`: done in ${seconds()} s`);
  } catch (error) {
    if (onTerminal) end(`: stopped after ${seconds()} s`);
    throw error;
  } finally {
    clearInterval(timer);
  }
}

/** Leaves room for the text: a line that wraps cannot be redrawn. */
function clip(line, text) {
  const columns = process.stderr.columns || 80;
  return line.slice(0, Math.max(0, columns - 1 - text.length));
}

module.exports = { ROOT, launch, shellWord };

if (require.main === module) launch(process.argv.slice(2));
