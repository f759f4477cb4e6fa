// Runs `npm ci`, and explains why it failed.
'use strict';

const { spawn } = require('node:child_process');

/** Install scripts stay off: every binary we need is inside its package. */
async function npmCi(folder, interruption) {
  const flags = ['--ignore-scripts', '--include=dev', '--no-audit', '--no-fund', '--loglevel=warn'];
  const args = ['ci', ...flags, '--fetch-retry-mintimeout=1000'];
  const { code, signal, output } = await runNpm(args, folder, interruption);
  if (signal)
    throw new Error(
      `npm was ended by ${signal}; if this machine is short of memory, free some and run this again`,
    );
  // npm only warns of a file that it could not unpack.
  if (code !== 0 || output.includes('TAR_ENTRY_ERROR')) throw failureOf(output, folder);
}

function runNpm(args, cwd, interruption) {
  const env = { ...process.env };
  // An outer `npm start` or `npm test` sets these; here they would point npm at the wrong folder.
  delete env.npm_config_local_prefix;
  delete env.npm_config_prefix;
  // Set by npm itself; yarn and pnpm name themselves here.
  const npmScript = process.env.npm_execpath || '';
  const [command, first] = /\bnpm-cli\.js$/.test(npmScript) ? [process.execPath, [npmScript]] : ['npm', []];
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
    npm.on('close', (code, signal) =>
      interruption.aborted ? reject(interruption.reason) : resolve({ code, signal, output }),
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

/** What went wrong, with the code and the path that npm names if it could not write. */
function failureOf(output, folder) {
  const network =
    /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|ENOTCACHED)\b/.exec(
      output,
    );
  if (network) {
    return new Error(
      `cannot reach the npm registry (${network[1]}); check the network and npm's registry and proxy settings, then run this again`,
    );
  }
  // Until npm 10.6, each line began with `npm ERR!`.
  const lines = output
    .split('\n')
    .filter((line) => /^npm (error|ERR!)/.test(line) && !line.includes('A complete log'))
    .map((line) => line.replace(/^npm (error|ERR!) ?/, ''));
  const reason = lines
    .slice(0, 3)
    .join(' ')
    .replace(/^code /, '')
    .trim();
  const error = new Error(
    `npm ci failed in ${folder}: ${reason || 'no reason given'}; run it there to see its full output`,
  );
  const fieldOf = (name) => (lines.find((line) => line.startsWith(`${name} `)) || '').slice(name.length + 1);
  const full = /\b(ENOSPC|EDQUOT)\b/.exec(output);
  return Object.assign(error, { code: full ? full[1] : fieldOf('code'), path: fieldOf('path') });
}

module.exports = { npmCi };
