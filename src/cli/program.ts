// The command line: every command, in the order in which `--help` lists them.
import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { addApply } from './apply.ts';
import { type Cli, reasonFor } from './cli.ts';
import { addDemo } from './demo.ts';
import { addDoctor } from './doctor.ts';
import { addExport } from './export.ts';
import { addKey } from './key.ts';
import { addMigrate } from './migrate.ts';
import { addChangelog, addProduct } from './product.ts';
import { addServe } from './serve.ts';
import { addTeam } from './team.ts';
import { addVersion } from './version.ts';

const COMMANDS = [
  addServe,
  addDemo,
  addMigrate,
  addApply,
  addExport,
  addTeam,
  addProduct,
  addChangelog,
  addVersion,
  addKey,
  addDoctor,
];

const DONE = 0;
const REFUSED = 1;
const WRONG_USAGE = 2;

/** Runs one command line and returns the exit code; a refusal is one line on standard error. */
export async function runCommand(cli: Cli, args: readonly string[]): Promise<number> {
  try {
    await buildProgram(cli).parseAsync(args, { from: 'user' });
    return DONE;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? DONE : WRONG_USAGE;
    cli.say(`changelog: ${reasonFor(error)}`);
    return REFUSED;
  }
}

export function buildProgram(cli: Cli): Command {
  const program = new Command('changelog')
    .description('Publishes product changelogs over a read-only HTTP API.')
    .version(packageVersion())
    .showHelpAfterError('Run it with --help to see what it takes.')
    .configureOutput({
      writeOut: (text) => cli.print(text.trimEnd()),
      writeErr: (text) => cli.say(text.trimEnd()),
    })
    .exitOverride();
  for (const add of COMMANDS) add(program, cli);
  return program;
}

function packageVersion(): string {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version;
}
