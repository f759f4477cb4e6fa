// The names of months in other languages than English, as they are written after a day.

/** One row for each month: German, French, Spanish, Portuguese, Italian, Russian, Polish and Turkish. */
const NAMES = [
  'januar jänner janvier enero janeiro gennaio января stycznia ocak',
  'februar février fevrier febrero fevereiro febbraio февраля lutego şubat',
  'märz maerz mars marzo março marco marzo марта marca mart',
  'april avril abril aprile апреля kwietnia nisan',
  'mai mayo maio maggio мая maja mayıs',
  'juni juin junio junho giugno июня czerwca haziran',
  'juli juillet julio julho luglio июля lipca temmuz',
  'august août aout agosto августа sierpnia ağustos',
  'september septembre septiembre setiembre setembro settembre сентября września eylül',
  'oktober octobre octubre outubro ottobre октября października ekim',
  'november novembre noviembre novembro ноября listopada kasım',
  'dezember décembre decembre diciembre dezembro dicembre декабря grudnia aralık',
];

const NUMBERS: ReadonlyMap<string, string> = new Map(
  NAMES.flatMap((names, index) => names.split(' ').map((name) => [name, String(index + 1)] as const)),
);

/** Null if the word is not a month. */
export function monthIn(word: string): string | null {
  return NUMBERS.get(word.toLowerCase()) ?? null;
}
