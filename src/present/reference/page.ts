import type { OpenApiDocument } from '../openapi/types.ts';
export function writeReference(document: OpenApiDocument) {
  return { html: document.openapi, policy: "default-src 'none'" };
}
