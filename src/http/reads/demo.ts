// `/demo`: a page on which the widget can be tried, only in the command `demo`.
import type { Site } from '../../present/pages/views.ts';
import { HTML_TYPE, SCRIPT_TYPE } from '../pipeline/send.ts';
import type { GeneratedDocument } from './documents.ts';

export async function generateDemoPage(site: Site): Promise<GeneratedDocument> {
  const { writeDemoPage } = await import('../../present/demo/page.ts');
  const { html, policy } = writeDemoPage(site);
  return { contentType: HTML_TYPE, text: html, head: ['content-security-policy', policy] };
}

export async function generateDemoScript(): Promise<GeneratedDocument> {
  const { SCRIPT } = await import('../../present/demo/script.ts');
  return { contentType: SCRIPT_TYPE, text: SCRIPT };
}
