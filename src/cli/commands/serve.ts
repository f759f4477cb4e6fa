import type { Command as Parser } from 'commander';
import { PREFIX, SETTINGS, withSettings } from '../../config.ts';
import { readStylesheet } from '../../serve/page-stylesheet.ts';
import type { Prepared } from '../../serve/serve.ts';
import { option, ruled } from '../arguments.ts';
import { type Cli, configOf, describeCreated, hooksOf, messageFor, prepareDatabase } from '../cli.ts';
import { command } from '../command.ts';

type Setting = { help: string; accepts: string; parse: (text: string) => unknown };
export type ServeFlags = { host?: string; port?: string; workers?: string };

/** A flag is checked like the setting it overrides. */
const flag = (flags: string, { help, parse, accepts }: Setting) =>
  option(
    flags,
    help,
    ruled((text) => (parse(text) === undefined ? null : text), accepts),
  );

export const LISTEN_OPTIONS = [
  flag('--host <host>', SETTINGS.host),
  flag('--port <number>', SETTINGS.port),
  flag('--workers <number>', SETTINGS.workers),
];

export const serveCommand = command({
  name: 'serve',
  about: 'serve the database over HTTP',
  options: LISTEN_OPTIONS,
  customise: (parser) => parser.addHelpText('after', () => listSettings(parser)),
  run: (cli, flags: ServeFlags) => serve(withFlags(cli, flags)),
});

/** Commander wraps help at this width if the output is a file or a pipe. */
const HELP_WIDTH = 80;

function listSettings(parser: Parser): string {
  const helper = parser.createHelp();
  helper.prepareContext({ helpWidth: parser.configureOutput().getOutHelpWidth?.() ?? HELP_WIDTH });
  const rows = Object.values(SETTINGS);
  const width = Math.max(...rows.map(({ variable }) => variable.length));
  const lines = rows.map(({ variable, help, accepts, defaultText }) => {
    const otherwise = defaultText === null ? 'unset' : `default ${defaultText}`;
    return helper.formatItem(variable, width, `${help} (${accepts}; ${otherwise})`, helper);
  });
  return `\nSettings, from the environment or else .env; ${PREFIX}NAME wins over NAME:\n${lines.join('\n')}`;
}

/** Each option is called like its setting. */
export function withFlags(cli: Cli, flags: ServeFlags): Cli {
  const given = Object.entries(flags).map(([name, text]) => [name.toUpperCase(), text]);
  return { ...cli, environment: withSettings(cli.environment, Object.fromEntries(given)) };
}

/** Checks the settings and the files that they name before anything is written. */
export async function requireServable(cli: Cli): Promise<Prepared> {
  const config = configOf(cli);
  const extraCss = readStylesheet(config.pageStylesheet, cli.folder);
  return { config, extraCss, hooks: await hooksOf(cli, config) };
}

/** Serves until a signal stops it. */
export async function serve(cli: Cli, onReady: (baseUrl: string) => void = () => {}): Promise<void> {
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
