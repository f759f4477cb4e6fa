// The widget, with its words in one of the languages that there are words for (R59).
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { DEFAULT_LANGUAGE } from '../domain/content/appearance.ts';
import { SECTION_KINDS } from '../domain/model.ts';
import { ROOT } from '../root.ts';
import { localeFor } from './words/locale.ts';

/** Where the words belong in `client/widget.words.min.js`. */
export const WORDS_PLACE = 'WHATS_NEW_WORDS';

/** In English, which pages of any language may have, direction and dates are those of the page. */
export async function readWidget(language: string, { isStatic = false } = {}): Promise<string> {
  const { words, tag, direction } = localeFor(language);
  const isEnglish = tag === DEFAULT_LANGUAGE;
  if (isEnglish && !isStatic) return await readClientFile('widget.min.js');
  // As `client/widget/texts.js` exports them.
  const values = {
    KINDS: [...SECTION_KINDS],
    TEXTS: { ...words.types, ...words.widget },
    LANGUAGE: isEnglish ? null : { lang: tag, dir: direction },
    IS_STATIC: isStatic,
  };
  const script = await readClientFile('widget.words.min.js');
  return script.replace(WORDS_PLACE, () => JSON.stringify(values));
}

const readClientFile = (name: string) => readFile(path.join(ROOT, 'client', name), 'utf8');
