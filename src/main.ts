// The process: checks the Node.js version and connects the command line to its streams.
import nodeModule from 'node:module';
import path from 'node:path';
import { isatty } from 'node:tty';
import { ROOT } from './root.ts';

const NODE_MAJOR_MIN = 24;
/** For a terminal of unknown width. */
const DEFAULT_COLUMNS = 80;

if (Number.parseInt(process.versions.node, 10) < NODE_MAJOR_MIN) {
  // Checked before anything is loaded: the SQLite binding crashes older versions.
  process.stderr.write(
    `changelog: Node.js ${NODE_MAJOR_MIN} or later is required; this is ${process.version}.\n`,
  );
  process.exit(1);
}

// Later starts skip compiling. If the directory is not writable, nothing is cached.
nodeModule.enableCompileCache(path.join(ROOT, 'node_modules/.cache/changelog'));

// A closed pipe (`| head`) is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  process.stderr.write(
    `changelog: cannot write to standard output: ${error.message}; check the disk or the program that it goes to.\n`,
  );
  process.exit(1);
});

const { runCommand } = await import('./cli/program.ts');
process.exitCode = await runCommand(
  {
    environment: process.env,
    folder: process.cwd(),
    // Resolves once the text is written, so that long output does not pile up in memory.
    print: (text) => new Promise((resolve) => process.stdout.write(`${text}\n`, () => resolve())),
    ...(process.stdout.isTTY && { columns: () => process.stdout.columns || DEFAULT_COLUMNS }),
    say: (text) => void process.stderr.write(`${text}\n`),
    ...(process.stderr.isTTY && {
      terminal: {
        columns: () => process.stderr.columns || DEFAULT_COLUMNS,
        draw: (text: string) => void process.stderr.write(text),
      },
    }),
    // Not `process.stdin.isTTY`, which opens a stream that most commands do not read.
    ...(isatty(0) && {
      ask: async (question: string) => {
        const { ask } = await import('./cli/terminal/ask.ts');
        return await ask({ input: process.stdin, errors: process.stderr }, question);
      },
    }),
    standardInput: () => process.stdin,
    now: () => new Date().toISOString(),
    exit: (code) => process.exit(code),
  },
  process.argv.slice(2),
);
