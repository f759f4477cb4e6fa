import { type Command, InvalidArgumentError } from 'commander';
import { COMMAND } from '../../command-name.ts';
import { type Environment, findSetting, readConfig, SETTINGS, withDotEnv } from '../../config.ts';
import { isSlug } from '../../domain/model.ts';
import { baseUrlFor, listenUrl } from '../../http/urls.ts';
import { type ProductName, readSecrets, SECRETS } from '../../mcp/settings.ts';
import { parseProduct, withExamples } from '../arguments.ts';
import { type Cli, messageFor } from '../cli.ts';
import { withStopSignals } from '../stop-signals.ts';

export function addMcp(program: Command, cli: Cli): void {
  withExamples(
    program
      .command('mcp')
      .argument('[team/product]', 'for calls that name no product', parseSlugs)
      .option('--url <url>', 'server to read from; default: BASE_URL, or http://HOST:PORT', parseUrl)
      .description('let coding agents read changelogs (Model Context Protocol)')
      .addHelpText('after', `\nFrom the environment or .env:\n${listSecrets()}`)
      .action((product: ProductName | undefined, { url }: { url?: string }) =>
        serve(cli, program, product, url),
      ),
    'mcp --url https://changelog.example.com',
    'mcp acme/rocket --url https://changelog.example.com',
  );
}

async function serve(
  cli: Cli,
  program: Command,
  product: ProductName | undefined,
  url?: string,
): Promise<void> {
  const environment = withDotEnv(cli.environment, cli.folder);
  const settings = {
    url: url ?? defaultUrl(environment),
    product: product ?? null,
    ...readSecrets(environment),
  };
  if (cli.ask !== undefined)
    cli.say(
      `This is a Model Context Protocol server for ${settings.url}. Programs talk to it on standard input; to set one up, use the command \`${COMMAND} mcp\` in its settings. Press Ctrl-D to stop.`,
    );
  // Loaded here: only this command needs the SDK.
  const { serveMcp } = await import('../../mcp/server.ts');
  await withStopSignals(['SIGTERM', 'SIGINT'], (signal) =>
    serveMcp(settings, program.version() ?? '', {
      input: cli.standardInput(),
      print: cli.print,
      onError: (error) => cli.say(`changelog: ${messageFor(error)}`),
      signal,
    }),
  );
}

/** Reads no other settings: an agent may work in the directory of another program, with its own `.env`. */
function defaultUrl(environment: Environment): string {
  const textOf = (variable: string) => findSetting(environment, variable)?.text;
  const config = readConfig({ BASE_URL: textOf('BASE_URL'), HOST: textOf('HOST'), PORT: textOf('PORT') });
  return baseUrlFor(config, listenUrl(null, config));
}

function parseSlugs(text: string): ProductName {
  const path = parseProduct(text);
  if (!isSlug(path.team) || !isSlug(path.product))
    throw new InvalidArgumentError('Slugs have lowercase letters, digits and hyphens, such as acme/rocket.');
  return path;
}

function parseUrl(text: string): string {
  const url = SETTINGS.baseUrl.parse(text);
  if (url === undefined) throw new InvalidArgumentError(`It must be ${SETTINGS.baseUrl.accepts}.`);
  return url;
}

function listSecrets(): string {
  return Object.values(SECRETS)
    .map(({ variable, help }) => `  ${variable.padEnd(21)} ${help}`)
    .join('\n');
}
