export function isBlank(line: string): boolean {
  return line.trim() === '';
}

export function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
