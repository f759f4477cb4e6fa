// Runs test files in this process: OUTCOME FILE…, with the file to write the outcome to.
import { createWriteStream } from 'node:fs';
import { createRequire } from 'node:module';
import printFailures from './failures.ts';
import writeOutcome from './outcome.ts';

/**
 * Node.js follows every promise to the test that made it, to blame that test for an error that nothing catches. This takes
 * a tenth of the processor time of many tests, so here such an error ends the process.
 */
const hooks = createRequire(import.meta.url)('node:async_hooks');
const { createHook } = hooks;
hooks.createHook = (callbacks: object) => createHook({ ...callbacks, trackPromises: false });
for (const event of ['uncaughtException', 'unhandledRejection'])
  process.on(event, (error) => {
    console.error(`${event} in a test:`, error);
    process.exit(1);
  });
// Clean-ups run on exit, and a signal would skip them.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));

// Only now: it takes `createHook` when it is loaded.
const { run } = await import('node:test');
const [outcome = '', ...files] = process.argv.slice(2);
const events = run({ files, isolation: 'none' });
events.on('test:summary', ({ success }) => {
  if (!success) process.exitCode = 1;
});
events.compose(printFailures).pipe(process.stdout);
events.compose(writeOutcome).pipe(createWriteStream(outcome));
