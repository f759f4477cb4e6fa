// SARIF 2.1.0, which GitHub code scanning and others read.
import { RULES } from '../rules.ts';
import type { Report } from './report.ts';

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json';

export function toSarif({ file, findings }: Report, version: string) {
  const uri = file.split(/[\\/]/).map(encodeURIComponent).join('/');
  const indexes = new Map(RULES.map(({ id }, index) => [id, index]));
  return {
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'changelog check',
            version,
            rules: RULES.map(({ id, level, summary, help }) => ({
              id,
              shortDescription: { text: summary },
              fullDescription: { text: help },
              help: { text: help },
              defaultConfiguration: { level },
            })),
          },
        },
        columnKind: 'utf16CodeUnits',
        results: findings.map(({ rule, level, line, column, message }) => ({
          ruleId: rule,
          ruleIndex: indexes.get(rule),
          level,
          message: { text: message },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri, uriBaseId: '%SRCROOT%' },
                region: { startLine: line, ...(column !== undefined && { startColumn: column }) },
              },
            },
          ],
        })),
      },
    ],
  };
}
