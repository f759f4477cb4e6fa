/** Each line with the two after it; an empty text stands for none. */
export function* withNext(lines: Iterable<string>): Generator<readonly [string, string, string]> {
  const waiting: string[] = [];
  for (const line of lines) {
    waiting.push(line);
    if (waiting.length < 3) continue;
    yield waiting as unknown as readonly [string, string, string];
    waiting.shift();
  }
  for (let at = 0; at < waiting.length; at++)
    yield [waiting[at] ?? '', waiting[at + 1] ?? '', waiting[at + 2] ?? ''];
}

export function isBlank(line: string): boolean {
  return line.trim() === '';
}

export function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
