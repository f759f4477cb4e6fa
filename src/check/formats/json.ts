import { countOf, type Report } from './report.ts';

export function toJson(report: Report) {
  const { file, versions, findings } = report;
  return {
    file,
    versions,
    errors: countOf(report, 'error'),
    notes: countOf(report, 'note'),
    findings: findings.map(({ rule, level, line, column, message }) => ({
      rule,
      level,
      line,
      ...(column !== undefined && { column }),
      message,
    })),
  };
}
