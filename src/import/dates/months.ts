// The names of months in other languages than English, as they are written after a day.

/** One row for each month: German, French, Spanish, Portuguese, Italian, Russian, Polish and Turkish. */
const NAMES = [
  'januar jänner janvier enero janeiro gennaio января январь stycznia ocak',
  'februar février fevrier febrero fevereiro febbraio февраля февраль lutego şubat',
  'märz maerz mars marzo março marco marzo марта март marca mart',
  'april avril abril aprile апреля апрель kwietnia nisan',
  'mai mayo maio maggio мая май maja mayıs',
  'juni juin junio junho giugno июня июнь czerwca haziran',
  'juli juillet julio julho luglio июля июль lipca temmuz',
  'august août aout agosto августа август sierpnia ağustos',
  'september septembre septiembre setiembre setembro settembre сентября сентябрь września eylül',
  'oktober octobre octubre outubro ottobre октября октябрь października ekim',
  'november novembre noviembre novembro ноября ноябрь listopada kasım',
  'dezember décembre decembre diciembre dezembro dicembre декабря декабрь grudnia aralık',
];

const NUMBERS: ReadonlyMap<string, string> = new Map(
  NAMES.flatMap((names, index) => names.split(' ').map((name) => [name, String(index + 1)] as const)),
);

/** Null if the word is not a month. */
export function monthIn(word: string): string | null {
  return NUMBERS.get(word.toLowerCase()) ?? null;
}
