import type { Command } from 'commander';
import { withJson } from '../arguments.ts';
import { type Cli, configOf } from '../cli.ts';

export function addOpenApi(program: Command, cli: Cli): void {
  withJson(program.command('openapi'))
    .description('print the OpenAPI document of the API')
    .action(async () => {
      const [{ buildOpenApi }, { baseUrlFor, PREFIXES, RESOURCES }] = await Promise.all([
        import('../../http/routes/description.ts'),
        import('../../http/app.ts'),
      ]);
      const config = configOf(cli);
      const baseUrl = baseUrlFor(config, null);
      const document = buildOpenApi({ reads: RESOURCES, prefixes: PREFIXES, config, baseUrl });
      await cli.print(JSON.stringify(document, null, 2));
    });
}
