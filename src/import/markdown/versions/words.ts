// What the words of a heading say: that a version is not released yet, that it is one, or that this is a sentence.
import { nearest } from '../../../domain/nearest.ts';
import { isCjk } from '../../body/names.ts';

const OF_IT = '(?: (?:major|minor|patch))?(?: (?:releases?|versions?|changes|work))?';
/** The same in other languages, as translations of Keep a Changelog have it. */
const TRANSLATED =
  'unveröffentlicht|noch nicht veröffentlicht|non publié|non publiée|non diffusé|inédit|à venir|sin publicar|no publicado|sin lanzar|não publicado|não lançado|não liberado|non rilasciato|non pubblicato|inedito|niewydane|nieopublikowane|nevydáno|niet uitgebracht|nog niet uitgebracht|ej släppt|opublicerat|yayımlanmadı|yayımlanmamış|yayınlanmadı|yayınlanmamış|не выпущено|невыпущенное|не опубликовано|не випущено|невидане|未发布|未发行|待发布|未發布|未發佈|未釋出|未リリース|未公開|미배포|미출시|미공개|릴리스되지 않음';
/** These names always mean an unreleased version. */
const SAYING = `unreleased${OF_IT}|not (?:yet )?released(?: yet)?|to be (?:released|announced|determined)|unpublished|coming soon|v-?next|forthcoming${OF_IT}|in progress|work in progress|wip|(?:in|under) development|development (?:version|branch)|tbd|tba|${TRANSLATED}`;
/** These may also be the name of a section or a product. */
const AMBIGUOUS = `(?:next|upcoming|future|pending)${OF_IT}|(?:latest|current) changes|(?:on )?(?:master|main|trunk|develop|head|tip|dev)(?: branch)?`;
/** Words after the number of an unreleased version. */
const REMARK = `${SAYING}|${AMBIGUOUS}|planned|draft`;

const AT_START = new RegExp(`^(?:${SAYING}|${AMBIGUOUS})(?![\\w'’-])`, 'iu');
const SAYING_ALONE = new RegExp(`^(?:${SAYING})$`, 'i');
const SAYING_AT_START = new RegExp(`^(?:${SAYING}|upcoming${OF_IT})[:,]? +(?=v?\\d)`, 'i');
const AMBIGUOUS_ALONE = new RegExp(`^(?:${AMBIGUOUS})$`, 'i');
const REMARK_ALONE = new RegExp(`^(?:${REMARK})$`, 'i');
const SAYING_AND_MORE = new RegExp(`^(?:${SAYING})(?=[,;:.(/–—-])`, 'i');
const FIRST_WORD =
  /^\W*(?:unreleased|not|to|unpublished|coming|v-?next|forthcoming|in|work|wip|under|development|tb[da]|next|upcoming|future|pending|latest|current|on|master|main|trunk|develop|head|tip|dev)\b/i;

const FOREIGN = new RegExp(`^\\P{L}*(?:${TRANSLATED})`, 'iu');

/** `Planned for 2030-01-01`, without the date. */
const PLANNED =
  /^(?:planned|expected|scheduled|estimated|targeted|target|due|eta)(?: (?:release|date|for|on|in|by))*:?$/i;

export const mayBeUnreleased = (text: string) => FIRST_WORD.test(text) || FOREIGN.test(text);
/** No such name begins with a number, as most labels do: this saves compiling the pattern. */
export const unreleasedNameAtStart = (text: string) =>
  /^\d/.test(text) ? null : (AT_START.exec(text)?.[0] ?? null);
/** `Upcoming 2.0.0` → `2.0.0`; but `Next 2.0.0` may be a version of Next. */
export const withoutUnreleasedName = (text: string) => text.replace(SAYING_AT_START, '');
/** `WIP`, but not `Main`. */
export const saysUnreleased = (text: string) => SAYING_ALONE.test(text);
export const isAmbiguous = (label: string) => AMBIGUOUS_ALONE.test(label);
/** Whether no version is released under this label: `Unreleased`, `Unrelased`, `Next`, `未发布`; but `已发布` is released. */
export const isUnreleasedName = (label: string) =>
  saysUnreleased(label) || isAmbiguous(label) || (!isCjk(label) && nearestUnreleased(label) !== undefined);
/** Whether the text after a label marks the version as unreleased. */
export const isUnreleasedRemark = (text: string) => REMARK_ALONE.test(text);
export const saysPlanned = (text: string) => PLANNED.test(text);
/** `TBD, in May` */
export const startsAsUnreleased = (text: string) => SAYING_AND_MORE.test(text);

const WORDS_MAX = 4;
const OF_SENTENCES = new Set(
  (
    'a about above according add added adds after against all an and api are as at automatic backport backported backports ' +
    'before below between both breaking bump bumped bumps but by change changed changelog changes compat compatibility ' +
    'compatible compile deprecate deprecated deprecation deprecations dependencies drop dropped drops during earlier every features ' +
    'fix fixed fixes following for from guide has have highlights how if improve improved improvements in initial install into is it its known ' +
    'later migrate migrating migration minimum more move moved new newer no not note notes now of older on only or other our ' +
    'over per plan port possible pre previous prior recent released remove removed require required requirements requires ' +
    'requiring removes revert reverted see since some start starting support supported supporting supports switch switched ' +
    'than that the their then these this those through to track unsupported until up update updated updates upgrade upgraded ' +
    "upgrades upgrading use used uses using via vs was were und et y anteriores früher what what's what’s when why will with within without you your"
  ).split(' '),
);
/** Whether these words are more than a name: `Rocket 2.0` may be a version, `Upgrading to 2.0` is a section. */
export function isPhrase(words: string): boolean {
  const all = words
    .toLowerCase()
    .split(/[\s,:;()[\]"“”]+/)
    .filter((word) => word !== '');
  return all.length > WORDS_MAX || /[?!;]$/.test(words) || all.some((word) => OF_SENTENCES.has(word));
}

/** `1.2.0 Changes` says no more than `1.2.0`. */
export function saysNothing(words: string): boolean {
  return /^(?:changes|change ?log|release(?: notes)?|notes)$/i.test(words);
}

/** Titles that name no product. */
export const GENERIC_TITLE =
  /^[^\p{L}\p{N}]*(?:the )?(?:change ?log|changes|(?:change |release |version )?history|release notes|releases|versions|news)$/iu;
/** With the name of the product, or in other languages. */
const TITLE_OF_ALL =
  /(?<!\p{L})(?:change[ -]?logs?|release[ -]notes|(?:release|version|revision) history|(?:list|log|summary) of changes|änderungs(?:protokoll|verlauf|historie)|versions(?:verlauf|hinweise|historie)|journal des (?:modifications|changements)|historique des (?:versions|modifications|changements)|notes de (?:version|publication)|registro (?:de|das|dos) (?:cambios|alterações|mudanças)|historial de (?:cambios|versiones)|notas de (?:la )?(?:versión|lanzamiento)|histórico de (?:versões|alterações|mudanças)|registro delle modifiche|note di rilascio|dziennik zmian|lista zmian|historia (?:zmian|wersji)|seznam změn|wijzigingslogboek|versiegeschiedenis|ändringslogg|versionshistorik|değişiklik günlüğü|sürüm (?:notları|geçmişi)|(?:журнал|список|история) изменений|история версий|(?:журнал|список|історія) змін)(?!\p{L})|(?:更新|变更|變更|修改)(?:日志|日誌|记录|記錄|紀錄|历史)|(?:変更|更新|改訂|リリース)(?:履歴|ログ)|リリースノート|(?:변경|업데이트|릴리스) ?(?:로그|이력|내역|기록|노트)/iu;
/** `GNU Rocket NEWS` */
const IN_CAPITALS = /^\D*\b(?:NEWS|CHANGES|HISTORY)\b\D*$/;

/** `Changelog of Rocket`, `更新日志` */
export const isTitleOfAll = (text: string) =>
  [GENERIC_TITLE, TITLE_OF_ALL, IN_CAPITALS].some((form) => form.test(text));

const SAYINGS = `Unreleased|Not released|Not yet released|Unpublished|Forthcoming|${TRANSLATED}`.split('|');
const OF_IT_AT_END = new RegExp(`${OF_IT}$`, 'i');

/** The name of a draft that was probably meant by another one. */
export function nearestUnreleased(name: string): string | undefined {
  const said = name.replace(OF_IT_AT_END, '');
  const strictness = { charactersPerMistake: isCjk(said) ? 3 : 4, isBeginningEnough: false };
  return /^releas/i.test(said) ? undefined : nearest(said, SAYINGS, strictness);
}
