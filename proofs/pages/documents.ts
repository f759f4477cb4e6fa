// Checks of the HTML, its headers and its size.
import { hash } from 'node:crypto';
import { brotliCompressSync, constants } from 'node:zlib';
import { createSite } from '../../src/http/site.ts';
import { directionOf } from '../../src/present/pages/document.ts';
import { writeErrorPage } from '../../src/present/pages/error-page.ts';
import { localeFor } from '../../src/present/words/locale.ts';
import { watchTraffic } from '../../support/browser/traffic.ts';
import { findInvalidHtml } from '../../support/browser/validity.ts';
import { PICTURE } from './extremes.ts';
import { LANGUAGE_TAGS } from './languages.ts';
import { BLANK, type Check, DOCS, PRODUCT, readPage, type Site, viewsIn, withPage } from './site.ts';

const KB = 1_000;
/** Ten segments: what a server sends before it waits for the first acknowledgement. */
const FIRST_FLIGHT_BYTES = 14_600;

export const checkValidity: Check = async (site, { views }) => {
  const problems: string[] = [];
  for (const { name, path, status } of views) {
    const page = await readPage(site, path);
    if (page.status !== status) problems.push(`${name}: status ${page.status}`);
    problems.push(...(await findInvalidHtml(page.html)).map((line) => `${name}: ${line}`));
  }
  return { figure: `${problems.length} errors on ${views.length} pages`, problems };
};

export const checkLanguages: Check = async (site, { pagesPerLanguage }) => {
  const problems: string[] = [];
  let count = 0;
  const look = async (name: string, html: string, start: string) => {
    count += 1;
    const wrong = html.includes(start) ? [] : [`does not begin with ${start}`];
    problems.push(...[...wrong, ...(await findInvalidHtml(html))].map((line) => `${name}: ${line}`));
  };
  const ownSite = createSite({
    config: { listing: 'all' },
    baseUrl: () => site.origin,
    extraCss: '',
    outputs: [],
    hubsFor: () => [],
  });
  for (const tag of LANGUAGE_TAGS) {
    const locale = localeFor(tag);
    const start = `<html lang="${tag}"${directionOf(locale).html}>`;
    for (const { name, path, status } of viewsIn(tag).slice(0, pagesPerLanguage)) {
      const page = await readPage(site, path);
      if (page.status !== status) problems.push(`${name}: status ${page.status}`);
      await look(name, page.html, start);
    }
    // Too many requests would be too many for the other checks.
    await look(`429 in ${tag}`, writeErrorPage(ownSite(), 'rate_limited', locale), start);
  }
  return { figure: `${count} pages in ${LANGUAGE_TAGS.length} languages`, problems };
};

export const checkTraffic: Check = async (site, { views }) => {
  const pages = views.filter((view) => view !== DOCS);
  const problems: string[] = [];
  let bytesMax = 0;
  let requestsMax = 0;
  await withPage(site, async ({ page, incidents }) => {
    const traffic = await watchTraffic(page);
    for (const { name, path } of pages) {
      const before = traffic.requests.length;
      await page.goto(site.origin + path);
      const bytes = await traffic.scriptBytes();
      const requests = traffic.requests.slice(before).filter((request) => !request.includes(PICTURE));
      bytesMax = Math.max(bytesMax, bytes);
      requestsMax = Math.max(requestsMax, requests.length);
      if (bytes > 0) problems.push(`${name}: ${bytes} bytes of JavaScript`);
      if (requests.length > 1) problems.push(`${name}: ${requests.join(', ')}`);
    }
    // Chromium logs the status of an error page, and that the picture was not loaded.
    const logged = incidents.console.filter(
      (line) => !line.includes('the server responded with a status of') && !line.includes('net::ERR_FAILED'),
    );
    const outside = incidents.outside.filter((request) => request !== `image ${PICTURE}`);
    problems.push(...logged, ...incidents.errors, ...outside, ...(await traffic.violations()));
  });
  return {
    figure: `${bytesMax} bytes of JavaScript, ${requestsMax} request a view, on ${pages.length} pages`,
    problems,
  };
};

export const checkPolicy: Check = async (site, { views }) => {
  const pages = views.filter((view) => view !== DOCS);
  const problems: string[] = [];
  for (const { name, path } of pages) {
    const { html, headers } = await readPage(site, path);
    const policy = headers.get('content-security-policy');
    if (policy !== policyOf(html)) problems.push(`${name}: ${policy}`);
    if (/ style="| on\w+="/.test(html)) problems.push(`${name}: an attribute with style or script`);
  }
  return { figure: `as designed, on ${pages.length} pages`, problems };
};

function policyOf(html: string): string {
  const styleHash = hash('sha256', styleOf(html), 'base64');
  return `default-src 'none'; connect-src 'self'; style-src 'sha256-${styleHash}'; img-src ${imagesOf(html)}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'`;
}

function imagesOf(html: string): string {
  const urls = [...html.matchAll(/<img [^>]*src="(https:[^"]*)"/g)].map(([, url = '']) => new URL(url));
  return [...new Set(urls.map(({ origin }) => origin)), 'data:'].join(' ');
}

function styleOf(html: string): string {
  return /<style>(.*?)<\/style>/s.exec(html)?.[1] ?? '';
}

export const checkSizes: Check = async (site) => {
  const { html } = await readPage(site, BLANK);
  const sizes = [
    { what: 'page without versions', bytes: await brotliBytes(site, BLANK), bytesMax: 5 * KB },
    { what: "the demo's page", bytes: await brotliBytes(site, PRODUCT), bytesMax: FIRST_FLIGHT_BYTES },
    { what: 'style sheet', bytes: brotli(styleOf(html)), bytesMax: 3.3 * KB },
  ];
  return {
    figure: sizes.map(({ what, bytes }) => `${what} ${bytes} bytes`).join(', '),
    problems: sizes
      .filter(({ bytes, bytesMax }) => bytes > bytesMax)
      .map(({ what, bytes, bytesMax }) => `${what}: ${bytes} bytes, ${bytesMax} are allowed`),
  };
};

/** As sent. */
async function brotliBytes({ origin }: Site, path: string): Promise<number> {
  const { headers } = await fetch(origin + path, { headers: { 'accept-encoding': 'br' } });
  if (headers.get('content-encoding') !== 'br') return Number.POSITIVE_INFINITY;
  return Number(headers.get('content-length'));
}

/** As the server compresses. */
function brotli(text: string): number {
  return brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }).length;
}
