import type { Command } from 'commander';
import { baseUrlFor, listenUrl } from '../../http/urls.ts';
import { withJson } from '../arguments.ts';
import { type Cli, configOf } from '../cli.ts';

export function addOpenApi(program: Command, cli: Cli): void {
  withJson(program.command('openapi'))
    .description('print the OpenAPI document of the API')
    .action(async () => {
      const [{ buildOpenApi }, { OUTPUTS, servedReads }] = await Promise.all([
        import('../../http/reads/openapi-json.ts'),
        import('../../http/app.ts'),
      ]);
      const config = configOf(cli);
      const baseUrl = baseUrlFor(config, listenUrl(null, config));
      const document = await buildOpenApi({
        reads: servedReads(config),
        config,
        site: { baseUrl, outputs: OUTPUTS },
      });
      await cli.print(JSON.stringify(document, null, 2));
    });
}
