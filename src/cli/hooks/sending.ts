// What hooks need outside a server: what `serve` would send, and a connection that is not in a transaction.
import type { Config } from '../../config.ts';
import type { Run } from '../../hooks/announce.ts';
import type { AnnouncementPlace } from '../../hooks/messages/announcement.ts';
import { createSending, type Sending } from '../../hooks/sending.ts';
import { OUTPUTS } from '../../http/app.ts';
import { createSite } from '../../http/site.ts';
import { baseUrlFor, listenUrl, unsetBaseUrlWarning } from '../../http/urls.ts';
import { engineOf } from '../../store/engine/open.ts';
import { renderAtOnce } from '../../text/parse.ts';
import { type Cli, configOf } from '../cli.ts';
import { warn } from '../report/outcomes.ts';

/** Links are those of a server with the same settings. Warns of links that only work on this machine. */
export function placeOf(cli: Cli, config: Config): AnnouncementPlace {
  const url = listenUrl(null, config);
  const warning = unsetBaseUrlWarning(config, url);
  if (warning !== null) warn(cli, [warning]);
  const baseUrl = () => baseUrlFor(config, url);
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
  let known: AnnouncementPlace | undefined;
  const place = () => (known ??= placeOf(cli, config));
  const sending = createSending({ run, render: renderAtOnce, place, environment });
  return await work({ run, ...sending });
}
