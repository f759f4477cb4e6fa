import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { type Config, readSettings, withDotEnv } from '../config.ts';
import { Refusal } from '../errors.ts';
import { explainFailure } from '../store/failures.ts';
import { schemaState } from '../store/migrate.ts';
import { engineOf } from '../store/open.ts';
import { withJson } from './arguments.ts';
import { type Cli, printResult } from './cli.ts';

type Finding = Readonly<{ check: string; ok: boolean; message: string }>;

export function addDoctor(program: Command, cli: Cli): void {
  withJson(program.command('doctor'))
    .description('check settings, database, schema, Redis and permissions')
    .action(async (options) => {
      const findings = await examine(cli);
      printResult(cli, options, findings, () =>
        findings
          .map(({ check, ok, message }) => `${ok ? 'ok   ' : 'wrong'}  ${check.padEnd(11)}  ${message}`)
          .join('\n'),
      );
      const wrong = findings.filter(({ ok }) => !ok).length;
      if (wrong > 0)
        throw new Refusal(
          `${wrong} of ${findings.length} checks found something wrong: the lines above say what to do.`,
        );
    });
}

async function examine(cli: Cli): Promise<Finding[]> {
  const { value: config, problems } = readSettings(withDotEnv(cli.environment, cli.folder));
  if (config === null) return problems.map((message) => ({ check: 'settings', ok: false, message }));
  const findings = [...examineSettings(config), await examineRedis(config)];
  for (const [index, url] of config.databaseUrls.entries()) {
    const isWritten = index === 0;
    findings.push(...(await examineDatabase(url, config, isWritten)), ...(await examinePermissions(url)));
  }
  return findings;
}

function examineSettings(config: Config): Finding[] {
  const weak = config.gate !== null && config.gate.password.length < PASSWORD_CHARACTERS_MIN;
  return [
    { check: 'settings', ok: true, message: 'All settings are understood.' },
    ...(weak ? [{ check: 'gate', ok: false, message: WEAK_PASSWORD }] : []),
  ];
}

const PASSWORD_CHARACTERS_MIN = 8;
const WEAK_PASSWORD = `PASSWORD_PROTECTION_PASSWORD has fewer than ${PASSWORD_CHARACTERS_MIN} characters: choose a longer one.`;

async function examineRedis({ redisUrl }: Config): Promise<Finding> {
  if (redisUrl === null) return { check: 'redis', ok: true, message: NO_REDIS };
  const { host } = new URL(redisUrl);
  const { connectRedis } = await import('../http/counters/redis.ts');
  try {
    (await connectRedis(redisUrl)).close();
    return { check: 'redis', ok: true, message: `${host} answers in time, and counts.` };
  } catch (error) {
    const message = `${host} cannot be counted on (${(error as Error).message}): start it, or correct REDIS_URL.`;
    return { check: 'redis', ok: false, message };
  }
}

const NO_REDIS = 'Not set: requests are counted on this machine.';

async function examineDatabase(url: string, { autoMigrate }: Config, isWritten: boolean): Promise<Finding[]> {
  const engine = await engineOf(url);
  const name = engine.describe(url);
  if (!engine.exists(url)) {
    const message = `There is no database at ${name}: make one with \`changelog migrate\`.`;
    return [{ check: 'database', ok: false, message }];
  }
  try {
    const db = engine.openReader(url, {});
    try {
      const damage = await engine.checkIntegrity(db);
      const state = await schemaState(db);
      const hindrance = isWritten ? await engine.whyNotWritable(db) : null;
      return [
        {
          check: 'database',
          ok: damage === null,
          message:
            damage === null
              ? `${name} opens and is whole.`
              : `${name} is damaged: ${damage}. Restore a backup.`,
        },
        {
          check: 'schema',
          ok: state === 'current' || (state === 'behind' && autoMigrate),
          message: `${name}: ${SCHEMA_MESSAGES[state]}`,
        },
        ...(hindrance === null
          ? []
          : [{ check: 'permissions', ok: false, message: `${name} cannot be written to: ${hindrance}.` }]),
      ];
    } finally {
      await db.destroy();
    }
  } catch (error) {
    const failure = explainFailure(error);
    const message = failure === null ? (error as Error).message : `${name}: ${failure}`;
    return [{ check: 'database', ok: false, message }];
  }
}

const SCHEMA_MESSAGES = {
  current: 'the schema is up to date.',
  behind: 'the schema is older than this program; `changelog migrate` brings it up to date.',
  newer: 'the schema is newer than this program; use the newer program.',
};

/** A database that is not in a file of this machine looks after its own. */
async function examinePermissions(url: string): Promise<Finding[]> {
  const engine = await engineOf(url);
  const file = engine.fileOf(url);
  if (file === null || !engine.exists(url)) return [];
  const findings: Finding[] = [writable(file, 'file'), writable(path.dirname(file), 'folder')];
  const shared = (statSync(file).mode & 0o002) !== 0;
  if (shared)
    findings.push({
      check: 'permissions',
      ok: false,
      message: `Anybody on this machine may write ${file}: chmod o-w it.`,
    });
  return findings;
}

function writable(target: string, what: string): Finding {
  try {
    accessSync(target, constants.R_OK | constants.W_OK);
    return { check: 'permissions', ok: true, message: `The ${what} ${target} can be read and written.` };
  } catch {
    return {
      check: 'permissions',
      ok: false,
      message: `This user may not read and write the ${what} ${target}: change its owner or mode.`,
    };
  }
}
