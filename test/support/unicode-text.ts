import fc from 'fast-check';

const scalar = (min: number, max: number) =>
  fc.integer({ min, max }).map(
    (code) => String.fromCodePoint(code),
    (text) => (text as string).codePointAt(0) as number,
  );

/**
 * Any character of Unicode, as often ASCII as any of the others. The unit `binary` of fast-check has the same characters,
 * but takes a second of the processor in each process: it makes a table of all of them.
 */
const ANY_CHARACTER = fc.oneof(scalar(0, 0x7f), scalar(0x80, 0xd7ff), scalar(0xe000, 0x10ffff));

export function unicodeText(
  length: Readonly<{ minLength?: number; maxLength: number }>,
): fc.Arbitrary<string> {
  return fc.string({ unit: ANY_CHARACTER, ...length });
}
