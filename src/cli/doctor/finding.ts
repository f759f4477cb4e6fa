/** One line of `doctor`. What is no mistake, and yet good to know, is `ok`. */
export type Finding = Readonly<{ check: string; ok: boolean; message: string }>;

export const fine = (check: string, message: string): Finding => ({ check, ok: true, message });
export const wrong = (check: string, message: string): Finding => ({ check, ok: false, message });

/** Only those whose condition holds. */
export function found(...candidates: readonly (readonly [isSo: boolean, finding: Finding])[]): Finding[] {
  return candidates.filter(([isSo]) => isSo).map(([, finding]) => finding);
}
