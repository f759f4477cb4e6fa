// Runs the command line within the process of the test, and captures its streams.
import type { Cli } from '../../src/cli/cli.ts';
import { runCommand } from '../../src/cli/program.ts';
import { environmentOf, provideMigrated } from '../databases/engine.ts';
import type { DatabaseLocation } from '../databases/engines.ts';

export type CommandResult = { code: number; stdout: string; stderr: string };
export type Sandbox = DatabaseLocation & { now?: string };

/** `more` adds features of the process, such as a terminal. */
export async function run(
  sandbox: Sandbox,
  args: readonly string[],
  input = '',
  more: Partial<Cli> = {},
): Promise<CommandResult> {
  const out: string[] = [];
  const err: string[] = [];
  const code = await runCommand(
    {
      environment: await environmentOf(sandbox),
      folder: sandbox.folder,
      print: (text) => void out.push(`${text}\n`),
      say: (text) => void err.push(`${text}\n`),
      standardInput: () => [Buffer.from(input)],
      now: () => sandbox.now ?? new Date().toISOString(),
      exit: (status) => {
        throw new Error(`exit ${status}`);
      },
      ...more,
    },
    args,
  );
  return { code, stdout: out.join(''), stderr: err.join('') };
}

/** Runs a command that must succeed, and returns its output. */
export async function runOk(sandbox: Sandbox, args: readonly string[], input = ''): Promise<string> {
  const { code, stdout, stderr } = await run(sandbox, args, input);
  if (code !== 0) throw new Error(`changelog ${args.join(' ')} exited with ${code}: ${stderr}`);
  return stdout;
}

export async function apply(sandbox: Sandbox, document: unknown, ...flags: string[]): Promise<string> {
  if (!flags.includes('--dry-run')) await provideMigrated(sandbox);
  return await runOk(sandbox, ['apply', '-', ...flags], JSON.stringify(document));
}

/** With `PORT=0`, so that no other process on the machine can occupy the port. */
export async function doctor(sandbox: Sandbox, ...flags: string[]): Promise<CommandResult> {
  return await run({ ...sandbox, environment: { PORT: '0', ...sandbox.environment } }, ['doctor', ...flags]);
}

export type CreatedKey = { id: string; key: string };

export async function createKey(sandbox: Sandbox, team: string, ...flags: string[]): Promise<CreatedKey> {
  return JSON.parse(await runOk(sandbox, ['key', 'create', team, '--json', ...flags]));
}
