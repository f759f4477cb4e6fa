// The two documents about the API (R35). What makes them is loaded when one of them is wanted: a start need not wait for it.

import type { Stage } from '../line/stages.ts';
import type { OpenApiOptions } from './description.ts';
import type { ServedDocument } from './document-route.ts';

export const OPENAPI_PATH = '/api/openapi.json';
export const DOCS_PATH = '/docs';
export const OPENAPI_TYPE = 'application/json; charset=utf-8';

/** The address is asked for late: it is known once the server listens. */
type Describing = Omit<OpenApiOptions, 'baseUrl'> & Readonly<{ baseUrl: () => string }>;
type Rules = Readonly<{ stages: readonly Stage[]; cacheControl: string }>;

export function documentRoutes(
  { baseUrl, ...described }: Describing,
  rules: Readonly<{ openApi: Rules; page: Rules }>,
): readonly ServedDocument[] {
  async function describe() {
    const { buildOpenApi } = await import('./description.ts');
    return buildOpenApi({ ...described, baseUrl: baseUrl() });
  }

  return [
    {
      ...rules.openApi,
      pattern: OPENAPI_PATH,
      contentType: OPENAPI_TYPE,
      make: async () => ({ text: JSON.stringify(await describe()) }),
    },
    {
      ...rules.page,
      pattern: DOCS_PATH,
      contentType: 'text/html; charset=utf-8',
      make: async () => {
        const { writeReference } = await import('../../present/reference/page.ts');
        const { html, policy } = writeReference(await describe());
        return {
          text: html,
          head: ['content-security-policy', policy, 'referrer-policy', 'no-referrer'],
        };
      },
    },
  ];
}
