import { type Config, type Environment, readSettings, withDotEnv } from '../../config.ts';
import { Refusal } from '../../errors.ts';
import { PACKAGE } from '../../root.ts';
import { findUnknownSettings } from '../../unknown-settings.ts';
import type { Cli } from '../cli.ts';
import { command } from '../command.ts';
import { checkDatabases } from '../doctor/database.ts';
import { type Finding, fail, pass } from '../doctor/finding.ts';
import { checkDotEnv, checkFiles, checkHooks, checkSettings } from '../doctor/settings.ts';
import { hideSecrets } from '../secrets.ts';
import { outputPaint } from '../terminal/colours.ts';
import { escapeControls } from '../terminal/plain.ts';

const STATE_WIDTH = 'wrong'.length;
const CHECK_WIDTH = 'permissions'.length;

export const doctorCommand = command({
  name: 'doctor',
  about: 'check settings, database, schema, Redis and permissions',
  run: check,
  text: (findings, cli) => {
    const paint = outputPaint(cli);
    const lines = findings.map(({ check, state, message }) => {
      const verdict = paint(COLOURS[state], state.padEnd(STATE_WIDTH));
      return `${verdict}  ${check.padEnd(CHECK_WIDTH)}  ${escapeControls(message)}`;
    });
    return lines.join('\n');
  },
  after: (findings) => {
    const problems = findings.filter(({ ok }) => !ok).length;
    if (problems > 0)
      throw new Refusal(`${problems} of ${findings.length} checks failed; the lines above say what to do`);
  },
});

const COLOURS = { ok: 'green', note: 'yellow', wrong: 'red' } as const;

async function check(cli: Cli) {
  const { platform, arch, versions } = process;
  const about = `Version ${PACKAGE.version}, on Node.js ${versions.node}, ${platform} ${arch}.`;
  const findings = [pass('program', about), ...(await runChecks(cli))];
  return findings.map(({ check, state, message }) => {
    return { check, ok: state !== 'wrong', state, message: hideSecrets(message) };
  });
}

async function runChecks(cli: Cli): Promise<Finding[]> {
  let settings: Environment;
  try {
    settings = withDotEnv(cli.environment, cli.folder);
  } catch (error) {
    return [fail('settings', (error as Error).message)];
  }
  const { value: config, problems } = readSettings(settings);
  const wrong = [...findUnknownSettings(cli), ...problems].map((message) => fail('settings', message));
  const known = wrong.length > 0 ? wrong : [pass('settings', 'All settings are valid.')];
  const dotEnv = checkDotEnv(cli.folder);
  if (config === null) return [...known, ...dotEnv];
  // Opening a SQLite database creates and removes files, so they are checked first.
  const files = await Array.fromAsync(checkFiles(config));
  return [
    ...known,
    ...checkSettings(config, settings, cli.folder),
    ...(await Array.fromAsync(checkHooks(config, settings, cli.folder))),
    await checkRedis(config),
    ...(await Array.fromAsync(checkDatabases(config, cli.now()))),
    ...files,
    ...dotEnv,
  ];
}

async function checkRedis({ redisUrl }: Config): Promise<Finding> {
  if (redisUrl === null) return pass('redis', 'REDIS_URL is not set; requests are counted on this machine.');
  const { host } = new URL(redisUrl);
  const [{ redisTransport }, { verify }] = await Promise.all([
    import('../../http/guards/counters/redis.ts'),
    import('../../http/guards/counters/exchange.ts'),
  ]);
  const transport = redisTransport(redisUrl);
  try {
    await verify(transport);
    return pass('redis', `${host} responds in time and counts.`);
  } catch (error) {
    return fail(
      'redis',
      `${host} cannot be used (${(error as Error).message}). Start it, or correct REDIS_URL.`,
    );
  } finally {
    transport.close();
  }
}
