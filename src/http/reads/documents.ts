// Documents without rows, made on the first request, which also loads their code: the OpenAPI document and the page at
// /docs (R35), the widget, Gitea's version, and files that browsers and crawlers request (R38).
import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Config } from '../../config.ts';
import { CHANGELOG_RULES, DEFAULT_LANGUAGE } from '../../domain/content/appearance.ts';
import { text } from '../../domain/schema.ts';
import { API_ERRORS, type ApiErrorCode } from '../../errors.ts';
import { writeRobots } from '../../present/crawlers.ts';
import { GITEA_VERSION } from '../../present/gitea/records.ts';
import type { Site } from '../../present/pages/document.ts';
import { readWidget } from '../../present/widget.ts';
import { nearestOf } from '../../present/words/locale.ts';
import type { ErrorInput, OperationInput, OperationSurface } from '../../reference/openapi/inputs.ts';
import type { OpenApiDocument } from '../../reference/openapi/types.ts';
import { PACKAGE } from '../../root.ts';
import { chooseEncoding, SMALLEST } from '../cache/encodings.ts';
import { CachedResponse, type ResponseKind, sendConditionally } from '../cache/response.ts';
import { gateError } from '../guards/gate.ts';
import type { Stage } from '../pipeline/exchange.ts';
import type { Guards } from '../pipeline/router.ts';
import { HTML_TYPE, JSON_TYPE, SCRIPT_TYPE, type Send, TEXT_TYPE } from '../pipeline/send.ts';
import { FEED_PARAMETERS, ParameterError, type Parameters, parseQuery } from '../query.ts';
import type { ExampleSite, Read } from '../read.ts';

/** Makes it; null for a 204. */
export type Document = ((context: DocumentContext, variant: string) => Promise<Generated | null>) &
  Readonly<{
    /** Which of a few documents, each of which is kept. Throws if a parameter is invalid. */
    variantOf?: (target: string) => string;
  }>;

export type DocumentContext = Readonly<{ config: Config; site: Site; reads: readonly RoutedRead[] }>;

/** `either` where a key is optional. */
export type RoutedRead = Readonly<{ path: string; surface: Guards['surface'] | 'either'; read: Read }>;

type Generated = Pick<ResponseKind, 'contentType' | 'head' | 'levels'> & Readonly<{ text: string }>;

export function handleDocument(
  make: Document,
  cacheControl: string,
  { send, context }: Readonly<{ send: Send; context: () => DocumentContext }>,
): Stage {
  const responses = new Map<string, Promise<CachedResponse | null>>();

  async function respond(variant: string): Promise<CachedResponse | null> {
    const generated = await make(context(), variant);
    if (generated === null) return null;
    const { text, ...kind } = generated;
    return new CachedResponse([Buffer.from(text)], { cacheControl, ...kind });
  }

  return async (exchange) => {
    const variant = make.variantOf?.(exchange.request.url ?? '') ?? '';
    const made = responses.get(variant) ?? respond(variant);
    responses.set(variant, made);
    // The next request tries again.
    made.catch(() => responses.delete(variant));
    const response = await made;
    if (response !== null) {
      const encoding = chooseEncoding(exchange.request.headers['accept-encoding']);
      sendConditionally(send, exchange, await response.in(encoding, () => {}));
    } else {
      exchange.head.push('cache-control', cacheControl);
      send(exchange, 204, null);
    }
    return undefined;
  };
}

export const openApi: Document = async (context) => ({
  contentType: JSON_TYPE,
  text: JSON.stringify(await buildOpenApi(context)),
});

export const docsPage: Document = async (context) => {
  const { writeReference } = await import('../../reference/page/page.ts');
  const { html, policy } = writeReference(await buildOpenApi(context), context.site);
  const head = ['content-security-policy', policy, 'referrer-policy', 'no-referrer'];
  return { contentType: HTML_TYPE, text: html, head };
};

/** From the tables that handle requests. */
export async function buildOpenApi({
  config,
  site,
  reads,
}: Pick<DocumentContext, 'config' | 'reads'> & Readonly<{ site: ExampleSite }>): Promise<OpenApiDocument> {
  const { describeApi } = await import('../../reference/openapi/document.ts');
  const { version, license } = PACKAGE;
  const gated = config.gate !== null;
  const operations = reads.map((routed) => describeRead(routed, site));
  return describeApi({
    baseUrl: site.baseUrl,
    version,
    license,
    rateLimit: config.publicRateLimit,
    rateWindowSeconds: config.publicRateWindowSeconds,
    maxAgeSeconds: config.publicMaxAgeSeconds,
    gated,
    operations: [...(await Promise.all(operations)).flat(), VERSION, DESCRIPTION],
    errors: (Object.keys(API_ERRORS) as ApiErrorCode[]).map((code) => errorInput(code, gated)),
  });
}

const SURFACE_TAGS: Readonly<Record<NonNullable<OperationSurface>, string>> = {
  public: 'Public',
  team: 'Authenticated',
  either: 'Gitea',
};

const VERSION: OperationInput = {
  pattern: '/api/v1/version',
  surface: 'either',
  tag: 'Gitea',
  operationId: 'getGiteaVersion',
  summary: 'The release of Gitea whose API this follows.',
  description: 'Clients of Gitea ask for it first. It is a semantic version.',
  parameters: [],
  contentType: JSON_TYPE,
  bodies: ['GiteaServerVersion'],
};

const DESCRIPTION: OperationInput = {
  pattern: '/api/openapi.json',
  surface: null,
  tag: 'Description',
  operationId: 'getDescription',
  summary: 'This OpenAPI 3.1 document.',
  description: 'The page at `/docs` shows the same for people.',
  parameters: [],
  contentType: JSON_TYPE,
  bodies: ['OpenApi'],
};

/** Returns nothing for pages. */
async function describeRead(
  { path, surface, read: { operation, parameters = {}, contentType = JSON_TYPE } }: RoutedRead,
  site: ExampleSite,
): Promise<OperationInput[]> {
  if (operation === undefined || surface === 'pages' || surface === 'lists' || surface === 'open') return [];
  const { name, bodies = [], example, publicTag, ...text } = operation;
  return [
    {
      pattern: path,
      surface,
      tag: (surface === 'public' && publicTag) || SURFACE_TAGS[surface],
      operationId: `get${surface === 'public' ? 'Public' : ''}${name}`,
      ...text,
      parameters: Object.entries(parameters).map(([name, parameter]) => ({ name, ...parameter })),
      contentType,
      bodies,
      example: await example?.(path, site),
    },
  ];
}

/** Some errors have more than one message. */
function errorInput(code: ApiErrorCode, gated: boolean): ErrorInput {
  const { status, message: usual } = API_ERRORS[code];
  const { message: parameter } = new ParameterError('limit', FEED_PARAMETERS.limit);
  if (code === 'bad_request') return { code, status, messages: { usual, parameter } };
  if (code === 'unauthorized' && gated)
    return { code, status, messages: { usual, gate: gateError().message } };
  return { code, status, messages: { usual } };
}

/** Gitea's clients read it first, to learn what the server can do (R57). */
export const giteaVersion: Document = async () => ({
  contentType: JSON_TYPE,
  text: JSON.stringify({ version: GITEA_VERSION }),
});

const { language: TAG } = CHANGELOG_RULES;

const WIDGET_PARAMETERS = {
  lang: {
    schema: text({ pattern: TAG.pattern, maxLength: TAG.maxLength }),
    expected: TAG.wanted,
    description: 'The language of the words.',
    // Not all that looks like a tag is one.
    parse: ([tag]) => (TAG.read(tag) === null ? undefined : {}),
  },
} as const satisfies Parameters;

/** In one of the languages that there are words for (R59). */
export const widget: Document = Object.assign(
  async (_context: unknown, language: string) => ({
    contentType: SCRIPT_TYPE,
    text: await readWidget(language),
    levels: SMALLEST,
  }),
  {
    variantOf: (target: string) => {
      const [tag = DEFAULT_LANGUAGE] = parseQuery(target, WIDGET_PARAMETERS).given.lang ?? [];
      return nearestOf(tag) ?? DEFAULT_LANGUAGE;
    },
  },
);

export const robots: Document = async ({ config: { gate }, site: { baseUrl, hasHomePage } }) => ({
  contentType: TEXT_TYPE,
  text: writeRobots({ isGated: gate !== null, sitemapUrl: hasHomePage ? `${baseUrl}/sitemap.xml` : null }),
});

/** Pages embed their icon; for anything else, browsers look here. */
export const noIcon: Document = async () => null;

/** A page to try the widget on, only in the command `demo`. Its policy is as strict as a careful host's. */
export const demo: Document = async ({ config: { demoPage } }) => {
  const text = await readFile(demoPage as string, 'utf8');
  const [style, script] = ['style', 'script'].map((name) => hashOf(text, name));
  const policy = `default-src 'none'; script-src 'self' ${script}; connect-src 'self'; style-src ${style}; img-src data:; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'`;
  return { contentType: HTML_TYPE, text, head: ['content-security-policy', policy] };
};

/** The source expression for the inline element with this name. */
function hashOf(page: string, name: string): string {
  const [, content = ''] = new RegExp(`<${name}(?: type="module")?>([^]*?)</${name}>`).exec(page) ?? [];
  return `'sha256-${hash('sha256', content, 'base64')}'`;
}
