// The languages, by BCP 47 tag: the words of each are a file in `locales`.
import ar from '../../../locales/ar.json' with { type: 'json' };
import de from '../../../locales/de.json' with { type: 'json' };
import en from '../../../locales/en.json' with { type: 'json' };
import es from '../../../locales/es.json' with { type: 'json' };
import fr from '../../../locales/fr.json' with { type: 'json' };
import he from '../../../locales/he.json' with { type: 'json' };
import it from '../../../locales/it.json' with { type: 'json' };
import ja from '../../../locales/ja.json' with { type: 'json' };
import ko from '../../../locales/ko.json' with { type: 'json' };
import nl from '../../../locales/nl.json' with { type: 'json' };
import pl from '../../../locales/pl.json' with { type: 'json' };
import pt from '../../../locales/pt.json' with { type: 'json' };
import ru from '../../../locales/ru.json' with { type: 'json' };
import sv from '../../../locales/sv.json' with { type: 'json' };
import tr from '../../../locales/tr.json' with { type: 'json' };
import uk from '../../../locales/uk.json' with { type: 'json' };
import zhHans from '../../../locales/zh-Hans.json' with { type: 'json' };
import zhHant from '../../../locales/zh-Hant.json' with { type: 'json' };
import type { Words } from './words.ts';

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
