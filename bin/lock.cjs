// Keeps two concurrent first starts from installing over each other.
'use strict';

const fs = require('node:fs');
const { withProgress } = require('./progress.cjs');

const POLL_MS = 200;
const AGE_MS_MAX = 15 * 60 * 1000;
/** A lock without a process id: its owner was killed while writing it. */
const UNOWNED_AGE_MS_MAX = 2000;

/** Waits until no other process holds the lock, and returns the function that releases it. */
async function takeLock(file, interruption) {
  if (!writeLock(file)) {
    const owner = ownerOf(file);
    await withProgress(
      `waiting for ${owner ? `process ${owner}` : 'another process'}, which is installing`,
      async () => {
        do {
          await new Promise((resolve) => setTimeout(resolve, POLL_MS));
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
  return ageMsOf(file) > (owner > 0 ? AGE_MS_MAX : UNOWNED_AGE_MS_MAX);
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

module.exports = { takeLock };
