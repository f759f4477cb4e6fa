// Import it to let a signal exit the process, which stops its servers and removes its temporary folders, instead of
// killing it.
import os from 'node:os';

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => process.exit(128 + os.constants.signals[signal]));
