// Workflow commands of GitHub Actions, which become annotations.
import type { Report } from './report.ts';

const COMMANDS = { error: 'error', note: 'notice' } as const;

export function formatGithub({ file, findings }: Report): string[] {
  return findings.map(({ level, line, column, rule, message }) => {
    const properties = { file, line, ...(column !== undefined && { col: column }), title: rule };
    const list = Object.entries(properties).map(
      ([name, value]) => `${name}=${escapeProperty(String(value))}`,
    );
    return `::${COMMANDS[level]} ${list.join(',')}::${escapeData(message)}`;
  });
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
