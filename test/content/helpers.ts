import { readContent } from '../../src/content/read.ts';
import type { Content } from '../../src/domain/content.ts';
import { Refusal } from '../../src/errors.ts';

export function read(text: string | Uint8Array, file = 'acme.yaml'): Content {
  return readContent(typeof text === 'string' ? Buffer.from(text) : text, file).content;
}

/** The one line that a document is refused with. */
export function refusalOf(text: string | Uint8Array, file = 'acme.yaml'): string {
  try {
    read(text, file);
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
  throw new Error('The document was taken.');
}
