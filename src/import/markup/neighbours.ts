/** Each line with the two after it; an empty text stands for none. */
export function* withNext(lines: Iterable<string>): Generator<readonly [string, string, string]> {
  const held: string[] = [];
  for (const line of lines) {
    held.push(line);
    if (held.length < 3) continue;
    yield held as unknown as readonly [string, string, string];
    held.shift();
  }
  for (let at = 0; at < held.length; at++) yield [held[at] ?? '', held[at + 1] ?? '', held[at + 2] ?? ''];
}

export function isBlank(line: string): boolean {
  return line.trim() === '';
}

export function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
