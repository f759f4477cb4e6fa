import { COMMAND } from '../../command-name.ts';
import { type Environment, findSetting, readConfig, SETTINGS, withDotEnv } from '../../config.ts';
import { isSlug } from '../../domain/model.ts';
import { Refusal } from '../../errors.ts';
import { baseUrlFor, listenUrl } from '../../http/urls.ts';
import { type Place, readSecrets, SECRETS } from '../../mcp/settings.ts';
import { PACKAGE } from '../../root.ts';
import { requireKnownSettings } from '../../unknown-settings.ts';
import { argument, option, ruled } from '../arguments.ts';
import { messageFor } from '../cli.ts';
import { command } from '../command.ts';
import { withStopSignals } from '../stop-signals.ts';

const parsePlace = ruled((text): Place | null => {
  const [team = '', product = null, ...rest] = text.split('/');
  return isSlug(team) && (product === null || isSlug(product)) && rest.length === 0
    ? { team, product }
    : null;
}, 'TEAM or TEAM/PRODUCT, such as acme/rocket: lowercase letters, digits and hyphens');

export const mcpCommand = command({
  name: 'mcp',
  about: 'let coding agents read changelogs (Model Context Protocol)',
  arguments: [argument('[team[/product]]', 'for calls that name no other', parsePlace)],
  options: [
    option('--url <url>', 'server to read from; default: BASE_URL, or http://HOST:PORT', SETTINGS.baseUrl),
  ],
  examples: [
    'mcp --url https://changelog.example.com',
    'mcp acme --url https://changelog.example.com',
    'mcp acme/rocket --url https://changelog.example.com',
  ],
  customise: (parser) => {
    const lines = Object.values(SECRETS).map(({ variable, help }) => `  ${variable.padEnd(21)} ${help}`);
    parser.addHelpText('after', `\nFrom the environment or .env:\n${lines.join('\n')}`);
  },
  run: async (cli, { url }: { url?: string }, place?: Place) => {
    requireKnownSettings(cli, { withTypos: false });
    const environment = withDotEnv(cli.environment, cli.folder);
    const settings = {
      url: url ?? requireOwnUrl(cli.environment, environment),
      place: place ?? null,
      ...readSecrets(environment),
    };
    if (cli.ask !== undefined)
      cli.say(
        `This is a Model Context Protocol server for ${settings.url}. Programs talk to it on standard input; to set one up, use the command \`${COMMAND} mcp\` in its settings. Press Ctrl-D to stop.`,
      );
    // Loaded here: only this command needs the SDK.
    const { serveMcp } = await import('../../mcp/server.ts');
    await withStopSignals(['SIGTERM', 'SIGINT'], (signal) =>
      serveMcp(settings, PACKAGE.version, {
        input: cli.standardInput(),
        print: cli.print,
        onError: (error) => cli.say(`changelog: ${messageFor(error)}`),
        signal,
      }),
    );
  },
});

/**
 * Reads no other settings: an agent may work in the directory of another program, with its own `.env`. A secret in the
 * environment does not go to the URL that the `.env` of a checkout names: that may be a stranger's.
 */
function requireOwnUrl(own: Environment, effective: Environment): string {
  const [url, ownUrl] = [effective, own].map((environment) => {
    const textOf = (name: string) => [name, findSetting(environment, name)?.text];
    const config = readConfig(Object.fromEntries(['BASE_URL', 'HOST', 'PORT'].map(textOf)));
    return baseUrlFor(config, listenUrl(null, config));
  }) as [string, string];
  const secret = Object.values(SECRETS).find(({ variable }) => own[variable]);
  if (secret !== undefined && url !== ownUrl)
    throw new Refusal(
      `${secret.variable} is in the environment, but the URL, ${url}, comes from .env, which may be someone else's; pass --url ${url} if you trust it.`,
    );
  return url;
}
