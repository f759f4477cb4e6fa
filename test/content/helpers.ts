import { readDocument } from '../../src/content/read/read.ts';
import { type DocumentFormat, writeContent } from '../../src/content/write.ts';
import type { Content } from '../../src/domain/content/content.ts';
import { Refusal } from '../../src/errors.ts';

export function read(text: string | Buffer, file = 'acme.yaml'): Content {
  return readDocument({ bytes: Buffer.from(text as string), name: file }, import.meta.dirname).content;
}

/** The text of a document. */
export async function written({ team, products }: Content, format: DocumentFormat): Promise<string> {
  const content = {
    team,
    products: products.map(({ changelog, ...product }) => ({
      ...product,
      changelog: changelog && { ...changelog, batches: () => [changelog.versions] },
    })),
  };
  return `${(await Array.fromAsync(writeContent(content, format))).join('\n')}\n`;
}

/** The lines of the error of a document. */
export function refusalOf(text: string | Uint8Array, file = 'acme.yaml'): string {
  return refusalBy(() => read(Buffer.from(text as string), file));
}

export function refusalBy(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof Refusal) return [error.message, ...error.more].join('\n');
    throw error;
  }
  throw new Error('The document was taken.');
}
