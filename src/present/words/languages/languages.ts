// The languages, by BCP 47 tag.
import type { Words } from '../words.ts';
import { en } from './en.ts';
import { ja } from './ja.ts';
import { ru } from './ru.ts';
import { tr } from './tr.ts';
import { uk } from './uk.ts';

export const LANGUAGES: Readonly<Record<string, Words>> = {
  en,
  tr,
  uk,
  ru,
  ja,
};
