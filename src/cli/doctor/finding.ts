/** One line of `doctor`. What is no mistake, and yet good to know, is `ok`. */
export type Finding = Readonly<{ check: string; ok: boolean; message: string }>;

export const pass = (check: string, message: string): Finding => ({ check, ok: true, message });
export const fail = (check: string, message: string): Finding => ({ check, ok: false, message });

/** Only those whose condition holds. */
export function when(...candidates: readonly (readonly [isSo: boolean, finding: Finding])[]): Finding[] {
  return candidates.filter(([isSo]) => isSo).map(([, finding]) => finding);
}
