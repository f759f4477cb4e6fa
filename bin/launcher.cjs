// Installs the dependencies and a recent enough Node.js if they are missing, then runs a program of this project.
// Plain JavaScript without dependencies, like everything in this folder: it has to work on an old Node.js. On one that is
// too old even for that, this file and bin/changelog must at least be read up to the error: no `?.`, no `??`.
'use strict';

if (Number.parseInt(process.versions.node, 10) < 18) {
  process.stderr.write(
    `changelog: Node.js 18 or later is required, but this is ${process.version}; install Node.js 24 and run this again\n`,
  );
  process.exit(1);
}

const os = require('node:os');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { SIGNALS, missingParts, nodePath, setUp } = require('./setup.cjs');

/** Runs `node ARGS` for this project: in this process if possible, otherwise in a child process. */
async function launch(args) {
  try {
    const missing = missingParts();
    if (missing.length > 0) await setUp(missing);
    const node = nodePath();
    const environment = environmentFor(args);
    const flagged = [...flagsFor(args), ...args];
    if (node !== process.execPath || args[0].startsWith('-')) return runIn(node, flagged, environment);
    if (environment !== process.env || flagged.length > args.length) restart(flagged, environment);
    return runHere(args);
  } catch (error) {
    process.stderr.write(`changelog: ${error.message}\n`);
    process.exitCode = error.exitCode || 1;
  }
}

/** glibc keeps freed memory for later: little, and for all threads together. It reads this when a process starts. */
const ALLOCATOR = { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '262144' };

/** A server runs for months: see ADR 36. What a user has set stays. */
function environmentFor([, command]) {
  const isServer = command === 'serve' || command === 'demo';
  const isSet = Object.keys(ALLOCATOR).some((name) => name in process.env);
  return isServer && !isSet && process.platform === 'linux' ? { ...process.env, ...ALLOCATOR } : process.env;
}

/** Node.js would give them 128 MB on a large machine. Requests leave almost nothing behind. */
const YOUNG_BYTES_MAX = 16 * 1024 * 1024;
/**
 * A semi-space is half of the space for young objects, in MB. Old ones are collected when they have grown by a quarter,
 * not severalfold, along with buffers that only garbage refers to, such as evicted responses.
 */
const V8_FLAGS = [`--max-semi-space-size=${YOUNG_BYTES_MAX / 2 ** 21}`, '--heap-growing-percent=25'];

/** See ADR 36. What a user has set stays. The workers of a server get the same. */
function flagsFor([, command]) {
  const given = [...process.execArgv, process.env.NODE_OPTIONS].join(' ');
  const isLimited = command === 'serve' || command === 'demo' || command === 'build';
  return isLimited ? V8_FLAGS.filter((flag) => !given.includes(flag.split('=', 1)[0])) : [];
}

/** In the same process, which stays the one that its parent started. Returns if that is not possible. */
function restart(args, environment) {
  // The channel to a parent would not survive.
  if (process.channel) return;
  try {
    process.execve(process.execPath, [process.execPath, ...process.execArgv, ...args], environment);
  } catch {
    // It then takes more memory.
  }
}

function runHere([script, ...rest]) {
  process.argv = [process.execPath, script, ...rest];
  // To import CommonJS, Node.js would first load a parser for it.
  if (path.extname(script) === '.cjs') return require(script);
  return import(pathToFileURL(script).href);
}

function runIn(node, args, env) {
  // Modules that most starts do not need are loaded where they are used.
  const { spawn } = require('node:child_process');
  // `--require` would read, and reject, a broken package.json in the working directory.
  const tether = pathToFileURL(path.join(__dirname, 'tether.cjs')).href;
  const child = spawn(node, ['--import', tether, ...args], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env,
  });
  for (const signal of SIGNALS) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    process.stderr.write(`changelog: cannot run ${node}: ${error.message}\n`);
    process.exitCode = 1;
  });
  child.on('exit', (code, signal) => {
    process.exitCode = signal ? 128 + os.constants.signals[signal] : code;
  });
}

module.exports = { ALLOCATOR, V8_FLAGS, launch };

if (require.main === module) launch(process.argv.slice(2));
