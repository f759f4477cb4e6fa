// What hooks need outside a server: what `serve` would send, and a connection that is not in a transaction.
import type { Config } from '../../config.ts';
import type { Run } from '../../hooks/announce.ts';
import { createSending, type Sending } from '../../hooks/sending.ts';
import { OUTPUTS } from '../../http/app.ts';
import { createSite } from '../../http/site.ts';
import { baseUrlFor, listenUrl } from '../../http/urls.ts';
import type { AnnouncementPlace } from '../../present/announcements/present.ts';
import { renderTexts } from '../../present/html/markdown.ts';
import type { Render } from '../../present/html/render.ts';
import { engineOf } from '../../store/engine/open.ts';
import { type Cli, configOf } from '../cli.ts';

export const render: Render = (texts) => renderTexts(texts).map(({ html }) => html);

/** Links are those of a server with the same settings. */
export function placeOf(config: Config): AnnouncementPlace {
  const baseUrl = () => baseUrlFor(config, listenUrl(null, config));
  return createSite({ config, baseUrl, extraCss: '', outputs: OUTPUTS, hubsFor: () => [] })();
}

/** The schema must be current. */
export async function withSending<T>(
  cli: Cli,
  work: (sending: Sending & Readonly<{ run: Run }>) => Promise<T>,
): Promise<T> {
  const config = configOf(cli);
  const [url] = config.databaseUrls;
  await using db = (await engineOf(url)).openWriter(url, { create: false });
  const run: Run = (write) => write(db);
  const { environment } = cli;
  const sending = createSending({ run, render, place: () => placeOf(config), environment });
  return await work({ run, ...sending });
}
