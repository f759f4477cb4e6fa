// `${NAME}` and `${file:PATH}` in the texts of the hooks file. Messages name the variable or the path, never its value.
import path from 'node:path';
import { isMapping } from '../content/read/shape.ts';
import { ContentProblem, type FieldPath } from '../domain/content/content.ts';
import { Refusal } from '../errors.ts';
import { readTextFile } from '../text-file.ts';

export type Sources = Readonly<{
  environment: Readonly<Record<string, string | undefined>>;
  /** Relative paths start here. */
  folder: string;
}>;

const FILE_BYTES_MAX = 64 * 1024;
const REFERENCE = /\$\{(?<inner>[^}]*)(?<end>\}?)/g;

export const hasReference = (text: string): boolean => text.includes('${');

/** The names of the variables that a value refers to. */
export const variablesIn = (value: unknown): string[] =>
  [...JSON.stringify(value).matchAll(REFERENCE)].map(([, inner = '']) => inner);

/** The same value with all references replaced. Those that cannot be are added to the problems. */
export function expand(
  value: unknown,
  sources: Sources,
  problems: ContentProblem[],
  at: FieldPath = [],
): unknown {
  if (Array.isArray(value))
    return value.map((item, index) => expand(item, sources, problems, [...at, index]));
  if (isMapping(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, field]) => [name, expand(field, sources, problems, [...at, name])]),
    );
  if (typeof value !== 'string' || !hasReference(value)) return value;
  try {
    return value.replaceAll(REFERENCE, (_, inner: string, end: string) => {
      if (end === '') throw new Refusal(`a \${ is not closed; write \${NAME} or \${file:PATH}.`);
      return resolve(inner, sources);
    });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    problems.push(new ContentProblem(at, error.message));
    return value;
  }
}

function resolve(inner: string, { environment, folder }: Sources): string {
  const file = /^file:(.+)$/s.exec(inner)?.[1];
  if (file !== undefined) return readSecret(file, folder);
  // Without what is there: it may be a secret that somebody put between the braces.
  if (!/^[A-Za-z_]\w*$/.test(inner))
    throw new Refusal(`\${…} must be \${NAME} or \${file:PATH}, and NAME may have letters, digits and _.`);
  const value = Object.hasOwn(environment, inner) ? environment[inner] : undefined;
  if (value === undefined || value === '')
    throw new Refusal(
      `the variable ${inner} is ${value === '' ? 'empty' : 'not set'}; set it in the environment or in .env.`,
    );
  return value;
}

function readSecret(file: string, folder: string): string {
  const refusal = (problem: string, cause?: unknown) =>
    new Refusal(`the file ${JSON.stringify(file)} ${problem}`, { cause });
  const text = readTextFile(path.resolve(folder, file), {
    bytesMax: FILE_BYTES_MAX,
    wanted: 'a file with the value',
    refusal,
  }).replace(/\r?\n$/, '');
  if (text === '') throw refusal('is empty; write the value into it.');
  return text;
}
