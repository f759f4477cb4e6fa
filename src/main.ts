// The process: its version, its streams, its end. What it does is in the command line.
import nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';

const NODE_MAJOR_MIN = 24;
/** Of a terminal that does not say how wide it is. */
const USUAL_COLUMNS = 80;

if (Number.parseInt(process.versions.node, 10) < NODE_MAJOR_MIN) {
  // Checked before anything is loaded: the SQLite binding brings an older Node.js down.
  process.stderr.write(
    `changelog: this needs Node.js ${NODE_MAJOR_MIN} or later, and ${process.version} is what runs here.\n`,
  );
  process.exit(1);
}

// Later starts skip compiling; where the folder cannot be written, nothing is lost.
nodeModule.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/changelog', import.meta.url)));

// A reader that has seen enough (`| head`) is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  process.stderr.write(`changelog: standard output cannot be written: ${error.message}.\n`);
  process.exit(1);
});

const { runCommand } = await import('./cli/program.ts');
process.exitCode = await runCommand(
  {
    environment: process.env,
    folder: process.cwd(),
    // Done when it was taken, and not before: without a pause for that, all that is printed would stay in memory.
    print: (text) => new Promise((resolve) => process.stdout.write(`${text}\n`, () => resolve())),
    ...(process.stdout.isTTY && { columns: () => process.stdout.columns || USUAL_COLUMNS }),
    say: (text) => void process.stderr.write(`${text}\n`),
    ...(process.stderr.isTTY && {
      terminal: {
        columns: () => process.stderr.columns || USUAL_COLUMNS,
        draw: (text: string) => void process.stderr.write(text),
        isPrintedTo: process.stdout.isTTY,
      },
    }),
    ...(process.stdin.isTTY &&
      process.stderr.isTTY && {
        ask: async (question: string, options?: { hidden?: boolean }) => {
          const { askOn } = await import('./cli/terminal/ask.ts');
          return await askOn({ input: process.stdin, output: process.stderr }, question, options);
        },
      }),
    standardInput: () => process.stdin,
    now: () => new Date().toISOString(),
    exit: (code) => process.exit(code),
  },
  process.argv.slice(2),
);
