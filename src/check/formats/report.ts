import type { Finding, Level } from '../rule.ts';

export type Report = Readonly<{
  /** As typed, or as the receiver finds it. */
  file: string;
  findings: readonly Finding[];
  versions: number;
}>;

export function countOf({ findings }: Pick<Report, 'findings'>, wanted: Level): number {
  return findings.filter(({ level }) => level === wanted).length;
}

/** `CHANGELOG.md: 2 errors, 1 note` */
export function summarise(report: Report): string {
  const { file, findings, versions } = report;
  // Small numbers need no locale, which takes 30 ms to load.
  const shown = (count: number) => (count < 1_000 ? String(count) : count.toLocaleString('en'));
  const of = (count: number, what: string) => `${shown(count)} ${what}${count === 1 ? '' : 's'}`;
  if (findings.length === 0) return `${file}: no problems in ${of(versions, 'version')}`;
  const [errors, notes] = [countOf(report, 'error'), countOf(report, 'note')];
  return `${file}: ${errors === 0 ? 'no errors' : of(errors, 'error')}${notes === 0 ? '' : `, ${of(notes, 'note')}`}`;
}
