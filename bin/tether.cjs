// Loaded into the process that the launcher starts: makes it exit with the launcher, even if the launcher is killed.
'use strict';

// A cluster worker has its own channel, to the primary process, and exits with that process.
if (process.channel && !require('node:cluster').isWorker) {
  process.once('disconnect', () => process.exit(1));
  process.channel.unref();
}
