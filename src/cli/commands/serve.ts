import { InvalidArgumentError } from 'commander';
import { type Config, PREFIX, SETTINGS, withSettings } from '../../config.ts';
import type { Hook } from '../../domain/hook.ts';
import { readStylesheet } from '../../serve/page-stylesheet.ts';
import { option } from '../arguments.ts';
import { type Cli, configOf, hooksOf, messageFor, prepareDatabase } from '../cli.ts';
import { command } from '../command.ts';
import { describeCreated } from '../missing-database.ts';
import { listSettings } from '../settings.ts';

export type ServeFlags = { host?: string; port?: string; workers?: string };

export const LISTEN_OPTIONS = [
  option('--host <host>', SETTINGS.host.help, validated(SETTINGS.host)),
  option('--port <number>', SETTINGS.port.help, validated(SETTINGS.port)),
  option('--workers <number>', SETTINGS.workers.help, validated(SETTINGS.workers)),
];

export const serveCommand = command({
  name: 'serve',
  about: 'serve the database over HTTP',
  options: LISTEN_OPTIONS,
  customise: (parser) =>
    parser.addHelpText(
      'after',
      () =>
        `\nSettings, from the environment or else .env; ${PREFIX}NAME wins over NAME:\n${listSettings(parser)}`,
    ),
  run: (cli, flags: ServeFlags) => serve(withFlags(cli, flags)),
});

/** A flag is checked like the setting it overrides. */
function validated(setting: { accepts: string; parse: (text: string) => unknown }) {
  return (text: string) => {
    if (setting.parse(text) === undefined) throw new InvalidArgumentError(`It must be ${setting.accepts}.`);
    return text;
  };
}

export function withFlags(cli: Cli, { host, port, workers }: ServeFlags): Cli {
  const given = Object.entries({ HOST: host, PORT: port, WORKERS: workers }).filter(
    (flag): flag is [string, string] => flag[1] !== undefined,
  );
  return { ...cli, environment: withSettings(cli.environment, Object.fromEntries(given)) };
}

type Servable = Readonly<{ config: Config; extraCss: string; hooks: readonly Hook[] }>;

/** Checks the settings and the files that they name before anything is written. */
export async function requireServable(cli: Cli): Promise<Servable> {
  const config = configOf(cli);
  const extraCss = readStylesheet(config.pageStylesheet, cli.folder);
  return { config, extraCss, hooks: await hooksOf(cli, config) };
}

type ServeOptions = Readonly<{ onReady?: (baseUrl: string) => void }>;

/** Serves until a signal stops it. `onReady` receives the base URL. */
export async function serve(cli: Cli, { onReady = () => {} }: ServeOptions = {}): Promise<void> {
  // Loaded here: only this command needs the server.
  const { serve: run } = await import('../../serve/serve.ts');
  const { environment, print, exit } = cli;
  await run({
    environment,
    read: () => requireServable(cli),
    prepareDatabase: async () => {
      const created = await prepareDatabase(cli);
      return created === null ? [] : [describeCreated(created)];
    },
    print,
    exit,
    messageFor,
    onReady,
  });
}
