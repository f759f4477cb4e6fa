// The languages, by BCP 47 tag.
import type { Words } from '../words.ts';
import { en } from './en.ts';

export const LANGUAGES: Readonly<Record<string, Words>> = {
  en,
};
