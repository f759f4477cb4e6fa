// The OpenAPI document and the page at /docs (R35). Their code is loaded for the first request: the start does not wait.
import { JSON_TYPE } from '../line/send.ts';
import type { OpenApiOptions } from './description.ts';
import type { GeneratedDocument } from './document-route.ts';

/** The base URL is known once the server listens. */
type DocumentOptions = Omit<OpenApiOptions, 'baseUrl'> & Readonly<{ baseUrl: () => string }>;

async function describe({ baseUrl, ...options }: DocumentOptions) {
  const { buildOpenApi } = await import('./description.ts');
  return buildOpenApi({ ...options, baseUrl: baseUrl() });
}

export async function generateOpenApi(options: DocumentOptions): Promise<GeneratedDocument> {
  return { contentType: JSON_TYPE, text: JSON.stringify(await describe(options)) };
}

export async function generateDocsPage(options: DocumentOptions): Promise<GeneratedDocument> {
  const { writeReference } = await import('../../present/reference/page.ts');
  const { html, policy } = writeReference(await describe(options));
  return {
    contentType: 'text/html; charset=utf-8',
    text: html,
    head: ['content-security-policy', policy, 'referrer-policy', 'no-referrer'],
  };
}
