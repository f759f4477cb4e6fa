import type { Command } from 'commander';
import { type Config, type Environment, readSettings, withDotEnv } from '../../config.ts';
import { Refusal } from '../../errors.ts';
import { withJson } from '../arguments.ts';
import { type Cli, printResult } from '../cli.ts';
import { examineDatabases } from '../doctor/database.ts';
import { examineDotEnv } from '../doctor/dot-env.ts';
import { type Finding, fine, wrong } from '../doctor/finding.ts';
import { examineListeners } from '../doctor/listeners.ts';
import { describeProgram, examineFiles } from '../doctor/machine.ts';
import { examineSettings } from '../doctor/settings.ts';
import { hideSecrets } from '../secrets.ts';
import { outputPaint, type Paint } from '../terminal/colours.ts';
import { escapeControls } from '../terminal/plain.ts';

const CHECK_WIDTH = 'permissions'.length;

export function addDoctor(program: Command, cli: Cli): void {
  withJson(program.command('doctor'))
    .description('check settings, database, schema, Redis and permissions')
    .action(async (options) => {
      const found = [describeProgram(program.version() ?? ''), ...(await examine(cli))];
      const findings = found.map((finding) => ({ ...finding, message: hideSecrets(finding.message) }));
      const paint = outputPaint(cli);
      printResult(cli, options, findings, () =>
        findings.map((finding) => writeFinding(finding, paint)).join('\n'),
      );
      const mistakes = findings.filter(({ ok }) => !ok).length;
      if (mistakes > 0)
        throw new Refusal(
          `${mistakes} of ${findings.length} checks found something wrong: the lines above say what to do.`,
        );
    });
}

function writeFinding({ check, ok, message }: Finding, paint: Paint): string {
  const verdict = ok ? paint('green', 'ok   ') : paint('red', 'wrong');
  return `${verdict}  ${check.padEnd(CHECK_WIDTH)}  ${escapeControls(message)}`;
}

async function examine(cli: Cli): Promise<Finding[]> {
  let settings: Environment;
  try {
    settings = withDotEnv(cli.environment, cli.folder);
  } catch (error) {
    return [wrong('settings', (error as Error).message)];
  }
  const dotEnv = examineDotEnv(cli.environment, cli.folder);
  const { value: config, problems } = readSettings(settings);
  if (config === null) return [...problems.map((message) => wrong('settings', message)), ...dotEnv];
  // Before a database is opened, which makes and removes files.
  const files = await examineFiles(config);
  return [
    fine('settings', 'All settings are understood.'),
    ...examineSettings(config, settings),
    ...dotEnv,
    ...(await examineListeners(config)),
    await examineRedis(config),
    ...(await examineDatabases(config, Date.parse(cli.now()))),
    ...files,
  ];
}

async function examineRedis({ redisUrl }: Config): Promise<Finding> {
  if (redisUrl === null) return fine('redis', 'Not set: requests are counted on this machine.');
  const { host } = new URL(redisUrl);
  const { connectRedis } = await import('../../http/guards/counters/redis.ts');
  try {
    (await connectRedis(redisUrl)).close();
    return fine('redis', `${host} answers in time, and counts.`);
  } catch (error) {
    return wrong(
      'redis',
      `${host} cannot be counted on (${(error as Error).message}): start it, or correct REDIS_URL.`,
    );
  }
}
