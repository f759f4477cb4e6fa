// The names of sections in other languages than English. To add a language, add its file and its line below.

import { german } from './de.ts';
import { portuguese, spanish } from './es.ts';
import { french } from './fr.ts';
import { italian } from './it.ts';
import { japanese } from './ja.ts';
import { korean } from './ko.ts';
import type { Language } from './language.ts';
import { dutch, swedish } from './nl.ts';
import { czech, polish } from './pl.ts';
import { russian, ukrainian } from './ru.ts';
import { turkish } from './tr.ts';
import { chinese } from './zh.ts';

export const LANGUAGES: Readonly<Record<string, Language>> = {
  Chinese: chinese,
  Czech: czech,
  Dutch: dutch,
  French: french,
  German: german,
  Italian: italian,
  Japanese: japanese,
  Korean: korean,
  Polish: polish,
  Portuguese: portuguese,
  Russian: russian,
  Spanish: spanish,
  Swedish: swedish,
  Turkish: turkish,
  Ukrainian: ukrainian,
};
