// Authored texts as the program writes them.
import type { SearchWords } from '../../src/domain/feed-query.ts';
import { htmlFor, type PageText, pageTextFor, plainFor, type TextHead } from '../../src/present/texts.ts';
import { parseText } from '../../src/text/parse.ts';

/** Of a product without anything that links depend on. */
export const TEXT_HEAD: TextHead = { linkBase: null, repositoryUrl: null, language: 'en' };

/** As in the `html` fields of the API. */
export const renderMarkdown = (text: string, head: Partial<TextHead> = {}): string =>
  htmlFor({ ...TEXT_HEAD, ...head }).write(parseText(text));

/** As on a page, with the author's top headings on a level. */
export const renderForPage = (
  text: string,
  head: Partial<TextHead> = {},
  { level = 3, searched = null }: Readonly<{ level?: number; searched?: SearchWords | null }> = {},
): PageText => pageTextFor({ ...TEXT_HEAD, ...head }, level, searched).write(parseText(text));

/** As in `notes.txt`. */
export const renderPlain = (text: string): string => plainFor(TEXT_HEAD).write(parseText(text)).text;
