// The languages, by BCP 47 tag.
import type { Words } from '../words.ts';
import { ar } from './ar.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { he } from './he.ts';
import { it } from './it.ts';
import { ja } from './ja.ts';
import { ko } from './ko.ts';
import { nl } from './nl.ts';
import { pl } from './pl.ts';
import { pt } from './pt.ts';
import { ru } from './ru.ts';
import { sv } from './sv.ts';
import { tr } from './tr.ts';
import { uk } from './uk.ts';
import { zhHans } from './zh-hans.ts';
import { zhHant } from './zh-hant.ts';

export const LANGUAGES: Readonly<Record<string, Words>> = {
  en,
  de,
  fr,
  es,
  pt,
  it,
  nl,
  pl,
  sv,
  tr,
  uk,
  ru,
  ja,
  ko,
  'zh-Hans': zhHans,
  'zh-Hant': zhHant,
  ar,
  he,
};
