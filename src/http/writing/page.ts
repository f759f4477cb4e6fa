// A page as a response: its policy allows the images that it shows (R63), so that it is made after the body.
import { alternateLink } from '../../present/links.ts';
import { addOrigin } from '../../present/pages/style.ts';
import type { HeadRow } from '../../store/read/reads.ts';
import { BodyWriter, type WriteBody } from '../cache/body.ts';
import type { Representation } from '../cache/make-response.ts';
import type { ReadRequest } from '../read.ts';
import { pageHead } from '../site.ts';

/** Null for a page without a product. The page at this URL with the same parameters is also Markdown. */
export function asPage(
  { site, text: query }: Pick<ReadRequest, 'site' | 'text'>,
  head: HeadRow | null,
  url: string,
  text: WriteBody,
): Pick<Representation, 'text' | 'link' | 'head' | 'language'> {
  const origins = new Set<string>();
  addOrigin(head?.logo ?? '', origins);
  return {
    text: (out, read) => text(new PageWriter(out, origins), read),
    link: alternateLink(site.links.markdownOf(url) + query, 'text/markdown'),
    head: () => pageHead(site, head, origins),
    ...(head !== null && { language: head.language }),
  };
}

class PageWriter extends BodyWriter {
  readonly #out: BodyWriter;
  readonly #origins: Set<string>;

  constructor(out: BodyWriter, origins: Set<string>) {
    super();
    this.#out = out;
    this.#origins = origins;
  }

  add(text: string): Promise<void> | null {
    return this.#out.add(text);
  }

  override showImages(urls: Iterable<string | null | undefined>): void {
    for (const url of urls) addOrigin(url ?? '', this.#origins);
  }
}
