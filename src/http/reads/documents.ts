// The OpenAPI document, the page at /docs (R35) and the widget. Each is made once, for the first request, which also loads
// the code for it: the start does not wait.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { ROOT } from '../../root.ts';
import { sendConditionally } from '../cache/conditional.ts';
import { chooseEncoding, type Levels, SMALLEST } from '../cache/encodings.ts';
import { CachedResponse } from '../cache/response.ts';
import { HTML_TYPE, JSON_TYPE, SCRIPT_TYPE, type Send } from '../pipeline/send.ts';
import type { Stage } from '../pipeline/stages.ts';
import type { OpenApiOptions } from './openapi-json.ts';

/** The base URL is known once the server listens. */
type DocumentOptions = Omit<OpenApiOptions, 'baseUrl'> & Readonly<{ baseUrl: () => string }>;

async function describe({ baseUrl, ...options }: DocumentOptions) {
  const { buildOpenApi } = await import('./openapi-json.ts');
  return buildOpenApi({ ...options, baseUrl: baseUrl() });
}

export async function generateOpenApi(options: DocumentOptions): Promise<GeneratedDocument> {
  return { contentType: JSON_TYPE, text: JSON.stringify(await describe(options)) };
}

export async function generateDocsPage(options: DocumentOptions): Promise<GeneratedDocument> {
  const { writeReference } = await import('../../present/reference/page.ts');
  const { html, policy } = writeReference(await describe(options));
  return {
    contentType: HTML_TYPE,
    text: html,
    head: ['content-security-policy', policy, 'referrer-policy', 'no-referrer'],
  };
}

const WIDGET = path.join(ROOT, 'client/widget.min.js');

export async function readWidget(): Promise<GeneratedDocument> {
  return { contentType: SCRIPT_TYPE, text: await readFile(WIDGET, 'utf8'), levels: SMALLEST };
}

export type GeneratedDocument = Readonly<{
  contentType: string;
  text: string;
  /** Further headers, each name followed by its value. */
  head?: readonly string[];
  levels?: Levels;
}>;

export function sendDocument(
  generate: () => Promise<GeneratedDocument>,
  { cacheControl, send }: Readonly<{ cacheControl: string; send: Send }>,
): Stage {
  let made: ReturnType<typeof make> | null = null;

  async function make() {
    const { text, ...kind } = await generate();
    return new CachedResponse([Buffer.from(text)], { cacheControl, ...kind });
  }

  return (exchange, next) => {
    made ??= make().catch((error) => {
      // The next request tries again.
      made = null;
      throw error;
    });
    made
      .then(async (response) => {
        const encoding = chooseEncoding(exchange.request.headers['accept-encoding']);
        const encoded = await response.in(encoding, () => {});
        sendConditionally(send, exchange, encoded);
      })
      .catch(next);
  };
}
