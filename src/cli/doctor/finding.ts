/** One line of `doctor`. A note is about something that is odd but works. */
export type Finding = Readonly<{ check: string; state: 'ok' | 'note' | 'wrong'; message: string }>;

export const pass = (check: string, message: string): Finding => ({ check, state: 'ok', message });
export const note = (check: string, message: string): Finding => ({ check, state: 'note', message });
export const fail = (check: string, message: string): Finding => ({ check, state: 'wrong', message });
