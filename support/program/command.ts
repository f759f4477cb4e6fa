// Runs the command line inside the test process: the program's own code, with its output captured.

import type { Cli } from '../../src/cli/cli.ts';
import { runCommand } from '../../src/cli/program.ts';
import { environmentOf, provideMigrated } from '../databases/engine.ts';
import type { DatabaseLocation } from '../databases/engines.ts';

export type CommandResult = { code: number; stdout: string; stderr: string };
export type Workplace = DatabaseLocation & { now?: string };

/** `more` overrides parts of the process, such as its terminal. */
export async function run(
  workplace: Workplace,
  args: readonly string[],
  input = '',
  more: Partial<Cli> = {},
): Promise<CommandResult> {
  const out: string[] = [];
  const err: string[] = [];
  const code = await runCommand(
    {
      environment: await environmentOf(workplace),
      folder: workplace.folder,
      print: (text) => void out.push(`${text}\n`),
      say: (text) => void err.push(`${text}\n`),
      standardInput: () => [Buffer.from(input)],
      now: () => workplace.now ?? new Date().toISOString(),
      exit: (status) => {
        throw new Error(`exit ${status}`);
      },
      ...more,
    },
    args,
  );
  return { code, stdout: out.join(''), stderr: err.join('') };
}

/** Runs a command that must succeed and returns its output. */
export async function runOk(workplace: Workplace, args: readonly string[], input = ''): Promise<string> {
  const { code, stdout, stderr } = await run(workplace, args, input);
  if (code !== 0) throw new Error(`changelog ${args.join(' ')} exited with ${code}: ${stderr}`);
  return stdout;
}

/** Applies a document passed as a value. */
export async function apply(workplace: Workplace, document: unknown, ...flags: string[]): Promise<string> {
  if (!flags.includes('--dry-run')) await provideMigrated(workplace);
  return await runOk(workplace, ['apply', '-', ...flags], JSON.stringify(document));
}

/** Runs `doctor` with a port that cannot be in use. */
export async function doctor(workplace: Workplace, ...flags: string[]): Promise<CommandResult> {
  return await run({ ...workplace, environment: { PORT: '0', ...workplace.environment } }, [
    'doctor',
    ...flags,
  ]);
}

export type CreatedKey = { id: string; key: string };

export async function createKey(workplace: Workplace, team: string, ...flags: string[]): Promise<CreatedKey> {
  return JSON.parse(await runOk(workplace, ['key', 'create', team, '--json', ...flags]));
}
