// The OpenAPI document, the page at /docs (R35), the widget, Gitea's version, and files that browsers and crawlers request (R38).
import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { CHANGELOG_RULES, DEFAULT_LANGUAGE } from '../../domain/content/appearance.ts';
import { text } from '../../domain/schema.ts';
import { writeRobots } from '../../present/crawlers/sitemap.ts';
import { GITEA_VERSION } from '../../present/gitea/records.ts';
import { nearestOf } from '../../present/words/locale.ts';
import { SMALLEST } from '../cache/encodings.ts';
import type { Document, DocumentContext } from '../document.ts';
import { HTML_TYPE, JSON_TYPE, SCRIPT_TYPE, TEXT_TYPE } from '../pipeline/send.ts';
import type { Parameters } from '../query/parameters.ts';
import { parseQuery } from '../query/query.ts';
import { readWidget } from '../widget.ts';

const { language: TAG } = CHANGELOG_RULES;

async function describe(context: DocumentContext) {
  const { buildOpenApi } = await import('./openapi-json.ts');
  return await buildOpenApi(context);
}

export const openApiJson: Document = async (context) => ({
  contentType: JSON_TYPE,
  text: JSON.stringify(await describe(context)),
});

export const docsHtml: Document = async (context) => {
  const { writeReference } = await import('../../reference/page/page.ts');
  const { html, policy } = writeReference(await describe(context), context.site);
  return {
    contentType: HTML_TYPE,
    text: html,
    head: ['content-security-policy', policy, 'referrer-policy', 'no-referrer'],
  };
};

/** Gitea's clients read it first, to learn what the server can do (R57). */
export const giteaVersion: Document = async () => ({
  contentType: JSON_TYPE,
  text: JSON.stringify({ version: GITEA_VERSION }),
});

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
export const widgetJs: Document = {
  variantOf: (target) => {
    const [tag = DEFAULT_LANGUAGE] = parseQuery(target, WIDGET_PARAMETERS).given.lang ?? [];
    return nearestOf(tag) ?? DEFAULT_LANGUAGE;
  },
  make: async (_context, language) => ({
    contentType: SCRIPT_TYPE,
    text: await readWidget(language),
    levels: SMALLEST,
  }),
};

export const robotsTxt: Document = async ({ config: { gate }, site: { baseUrl, hasHomePage } }) => ({
  contentType: TEXT_TYPE,
  text: writeRobots({ isGated: gate !== null, sitemapUrl: hasHomePage ? `${baseUrl}/sitemap.xml` : null }),
});

/** Pages embed their icon; for anything else, browsers look here. */
export const noIcon: Document = async () => null;

/** A page to try the widget on, only in the command `demo`. Its policy is as strict as a careful host's. */
export const demoHtml: Document = async ({ config: { demoPage } }) => {
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
