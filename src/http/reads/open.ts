// What holds no content and so stays outside the gate (R38).
import type { Config } from '../../config.ts';
import { writeRobots } from '../../present/crawlers/robots.ts';
import { SITEMAP_PATH } from '../pipeline/path.ts';
import type { Send } from '../pipeline/send.ts';
import type { Stage } from '../pipeline/stages.ts';
import type { GeneratedDocument } from './documents.ts';

export function generateRobots(
  { gate, listing }: Pick<Config, 'gate' | 'listing'>,
  baseUrl: () => string,
): GeneratedDocument {
  const sitemapUrl = listing === 'all' ? baseUrl() + SITEMAP_PATH : null;
  return {
    contentType: 'text/plain; charset=utf-8',
    text: writeRobots({ isGated: gate !== null, sitemapUrl }),
  };
}

/** Pages carry their icon, and browsers look here for those that do not. */
export function sendNoIcon(cacheControl: string, send: Send): Stage {
  return (exchange) => {
    exchange.head.push('cache-control', cacheControl);
    send(exchange, 204, null);
  };
}
