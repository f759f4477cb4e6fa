import type { Format } from '../../src/content/formats.ts';
import { readContent } from '../../src/content/read.ts';
import { writeContent } from '../../src/content/write.ts';
import type { ChangelogContent, Content } from '../../src/domain/content.ts';
import { Refusal } from '../../src/errors.ts';

export function read(text: string | Uint8Array, file = 'acme.yaml'): Content {
  return readContent(typeof text === 'string' ? Buffer.from(text) : text, file).content;
}

/** The text of a document. */
export async function written({ team, products }: Content, format: Format): Promise<string> {
  const content = {
    team,
    products: products.map(({ changelog, ...product }) => ({
      ...product,
      changelog: changelog && { ...withoutVersions(changelog), batches: [[...changelog.versions]] },
    })),
  };
  return `${(await Array.fromAsync(writeContent(content, format))).join('\n')}\n`;
}

function withoutVersions({ id, name, status }: ChangelogContent) {
  return { id, name, status };
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
