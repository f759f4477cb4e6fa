/** Why a text cannot be parsed, and where. */
export class SyntaxProblem extends Error {
  override readonly name = 'SyntaxProblem';
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

export function duplicateField(line: number, name: string | undefined): SyntaxProblem {
  const field = name === undefined ? '' : ` "${name}"`;
  return new SyntaxProblem(line, `duplicate field${field}; each field may appear once in a mapping.`);
}

export function lineAt(text: string, position: number): number {
  let line = 1;
  for (let end = text.indexOf('\n'); end !== -1 && end < position; end = text.indexOf('\n', end + 1)) line++;
  return line;
}
