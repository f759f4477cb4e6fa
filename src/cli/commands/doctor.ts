import type { Command } from 'commander';
import { type Config, type Environment, readSettings, withDotEnv } from '../../config.ts';
import { Refusal } from '../../errors.ts';
import { findUnknownSettings } from '../../unknown-settings.ts';
import { withJson } from '../arguments.ts';
import { type Cli, printResult } from '../cli.ts';
import { checkDatabases } from '../doctor/database.ts';
import { checkFiles } from '../doctor/files.ts';
import { type Finding, fail, pass } from '../doctor/finding.ts';
import { checkHooks } from '../doctor/hooks.ts';
import { checkDotEnv, checkSettings } from '../doctor/settings.ts';
import { hideSecrets } from '../secrets.ts';
import { withGivenNames } from '../settings.ts';
import { outputPaint, type Paint } from '../terminal/colours.ts';
import { escapeControls } from '../terminal/plain.ts';

const STATE_WIDTH = 'wrong'.length;
const CHECK_WIDTH = 'permissions'.length;

export function addDoctor(program: Command, cli: Cli): void {
  withJson(program.command('doctor'))
    .description('check settings, database, schema, Redis and permissions')
    .action(async (options) => {
      const { platform, arch, versions } = process;
      const about = `Version ${program.version()}, on Node.js ${versions.node}, ${platform} ${arch}.`;
      const found = [pass('program', about), ...(await runChecks(cli))];
      const findings = found.map((finding) => ({ ...finding, message: hideSecrets(finding.message) }));
      const paint = outputPaint(cli);
      printResult(cli, options, findings.map(asJson), () =>
        findings.map((finding) => formatFinding(finding, paint)).join('\n'),
      );
      const problems = findings.filter(({ state }) => state === 'wrong').length;
      if (problems > 0)
        throw new Refusal(`${problems} of ${findings.length} checks failed; the lines above say what to do`);
    });
}

function asJson({ check, state, message }: Finding) {
  return { check, ok: state !== 'wrong', state, message };
}

const COLOURS = { ok: 'green', note: 'yellow', wrong: 'red' } as const;

function formatFinding({ check, state, message }: Finding, paint: Paint): string {
  const verdict = paint(COLOURS[state], state.padEnd(STATE_WIDTH));
  return `${verdict}  ${check.padEnd(CHECK_WIDTH)}  ${escapeControls(message)}`;
}

async function runChecks(cli: Cli): Promise<Finding[]> {
  let settings: Environment;
  try {
    settings = withDotEnv(cli.environment, cli.folder);
  } catch (error) {
    return [fail('settings', (error as Error).message)];
  }
  const dotEnv = checkDotEnv(cli.folder);
  const { value: config, problems } = readSettings(settings);
  const wrong = [...findUnknownSettings(cli), ...problems].map((message) => fail('settings', message));
  if (config === null) return [...wrong, ...dotEnv];
  // Opening a SQLite database creates and removes files, so they are checked first.
  const files = await checkFiles(config);
  const findings = [
    ...(wrong.length > 0 ? wrong : [pass('settings', 'All settings are valid.')]),
    ...checkSettings(config, settings, cli.folder),
    ...(await checkHooks(config, settings, cli.folder)),
    await checkRedis(config),
    ...(await checkDatabases(config, cli.now())),
    ...files,
    ...dotEnv,
  ];
  return findings.map((finding) => ({ ...finding, message: withGivenNames(finding.message, settings) }));
}

async function checkRedis({ redisUrl }: Config): Promise<Finding> {
  if (redisUrl === null) return pass('redis', 'REDIS_URL is not set; requests are counted on this machine.');
  const { host } = new URL(redisUrl);
  const { connectRedis } = await import('../../http/guards/counters/redis.ts');
  try {
    (await connectRedis(redisUrl)).close();
    return pass('redis', `${host} responds in time and counts.`);
  } catch (error) {
    return fail(
      'redis',
      `${host} cannot be used (${(error as Error).message}). Start it, or correct REDIS_URL.`,
    );
  }
}
