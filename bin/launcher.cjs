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
    if (node === process.execPath && !args[0].startsWith('-')) return runHere(args);
    runIn(node, args);
  } catch (error) {
    process.stderr.write(`changelog: ${error.message}\n`);
    process.exitCode = error.exitCode || 1;
  }
}

function runHere([script, ...rest]) {
  process.argv = [process.execPath, script, ...rest];
  // To import CommonJS, Node.js would first load a parser for it.
  if (path.extname(script) === '.cjs') return require(script);
  return import(pathToFileURL(script).href);
}

function runIn(node, args) {
  // Modules that most starts do not need are loaded where they are used.
  const { spawn } = require('node:child_process');
  // `--require` would read, and reject, a broken package.json in the working directory.
  const tether = pathToFileURL(path.join(__dirname, 'tether.cjs')).href;
  const child = spawn(node, ['--import', tether, ...args], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
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

module.exports = { launch };

if (require.main === module) launch(process.argv.slice(2));
