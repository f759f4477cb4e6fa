// Loaded into the process that the launcher starts: it ends with the launcher, even if that one is killed.
'use strict';

if (process.channel) {
  process.once('disconnect', () => process.exit(1));
  process.channel.unref();
}
