import assert from 'node:assert/strict';
import { inputFromBytes } from '../../src/content/input/input.ts';
import { readDocument } from '../../src/content/read/read.ts';
import type { DocumentFormat } from '../../src/content/write/formats.ts';
import { writeContent } from '../../src/content/write/write.ts';
import type { Content } from '../../src/domain/content/content.ts';
import { Refusal } from '../../src/errors.ts';

/** Reads a document as a whole and in chunks, which must give the same content. */
export function read(text: string | Uint8Array, file = 'acme.yaml'): Content {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  const { content } = readDocument(inputFromBytes(bytes, file));
  assert.deepEqual(readInChunks(bytes, file), JSON.parse(JSON.stringify(content)));
  return content;
}

export function readInChunks(bytes: Uint8Array, file = 'acme.yaml'): Content {
  const { content, close } = readDocument(inputFromBytes(bytes, file), { wholeBytes: 0 });
  const products = content.products.map(({ changelog, ...product }) => ({
    ...product,
    changelog: changelog && { ...changelog, versions: [...changelog.versions] },
  }));
  close();
  return JSON.parse(JSON.stringify({ ...content, products }));
}

/** The text of a document. */
export async function written({ team, products }: Content, format: DocumentFormat): Promise<string> {
  const content = {
    team,
    products: products.map(({ changelog, ...product }) => ({
      ...product,
      changelog: changelog && { ...changelog, batches: () => [[...changelog.versions]] },
    })),
  };
  return `${(await Array.fromAsync(writeContent(content, format))).join('\n')}\n`;
}

/** The lines of the error of a document, which are the same as a whole and in chunks. */
export function refusalOf(text: string | Uint8Array, file = 'acme.yaml'): string {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  const whole = refusalBy(() => readDocument(inputFromBytes(bytes, file)));
  const inChunks = refusalBy(() => readInChunks(bytes, file));
  assert.equal(inChunks, whole);
  return whole;
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
