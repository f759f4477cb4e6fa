// Loaded into the process that the launcher starts: it ends with the launcher, even if that one is killed.
'use strict';

// A worker has a channel of its own, to the process that the launcher started, and ends with that one.
if (process.channel && !require('node:cluster').isWorker) {
  process.once('disconnect', () => process.exit(1));
  process.channel.unref();
}
