import { baseUrlFor, listenUrl } from '../../http/urls.ts';
import { configOf } from '../cli.ts';
import { command } from '../command.ts';
import { formatJson } from '../terminal/text.ts';

export const openapiCommand = command({
  name: 'openapi',
  about: 'print the OpenAPI document of the API',
  run: async (cli) => {
    const [{ buildOpenApi }, { OUTPUTS, servedReads }] = await Promise.all([
      import('../../http/reads/documents.ts'),
      import('../../http/app.ts'),
    ]);
    const config = configOf(cli);
    const baseUrl = baseUrlFor(config, listenUrl(null, config));
    return await buildOpenApi({ reads: servedReads(config), config, site: { baseUrl, outputs: OUTPUTS } });
  },
  text: (document) => formatJson(document, 2),
});
