/** One line of `doctor`. A note on something that works is `ok`. */
export type Finding = Readonly<{ check: string; ok: boolean; message: string }>;

export const pass = (check: string, message: string): Finding => ({ check, ok: true, message });
export const fail = (check: string, message: string): Finding => ({ check, ok: false, message });

/** The findings whose condition holds. */
export function when(...candidates: readonly (readonly [applies: boolean, finding: Finding])[]): Finding[] {
  return candidates.filter(([applies]) => applies).map(([, finding]) => finding);
}
