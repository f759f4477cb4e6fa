// One window of a browser: what the checks need of it, whatever the browser.
import type { Scope } from '../../cluster/scope.ts';
import { until } from '../../support/processes/poll.ts';

export type Window = Readonly<{
  /** Of the browser. */
  version: string;
  /** Opens a page, and waits until it has loaded. */
  open: (url: string) => Promise<void>;
  /** The value of an expression, or of the promise that it is. JSON can hold it. */
  evaluate: <T>(expression: string) => Promise<T>;
  /** The size of the page's viewport. */
  resize: (width: number, height: number) => Promise<void>;
  /** A key with a name, or a character. */
  press: (key: string) => Promise<void>;
  click: (x: number, y: number) => Promise<void>;
  /** A PNG. */
  screenshot: () => Promise<Buffer>;
}>;

export type ColorScheme = 'light' | 'dark';

/** With a new profile, gone with the scope. Animations run. `origins`: all that pages may load from. */
export type StartBrowser = (
  scope: Scope,
  colorScheme: ColorScheme,
  origins: readonly string[],
) => Promise<Window>;

/** Keys that have a name, in WebDriver. */
const NAMED: Readonly<Record<string, string>> = {
  Tab: '\uE004',
  Enter: '\uE007',
  Escape: '\uE00C',
  Space: ' ',
};

/** Key presses as both versions of WebDriver write them. */
export function keyActions(key: string): readonly object[] {
  const value = NAMED[key] ?? key;
  const actions = ['keyDown', 'keyUp'].map((type) => ({ type, value }));
  return [{ type: 'key', id: 'keyboard', actions }];
}

export function clickActions(x: number, y: number): readonly object[] {
  const actions = [
    { type: 'pointerMove', x: Math.round(x), y: Math.round(y) },
    { type: 'pointerDown', button: 0 },
    { type: 'pointerUp', button: 0 },
  ];
  return [{ type: 'pointer', id: 'mouse', actions }];
}

/** Long enough for a busy machine. */
export const WAIT = { withinMs: 30_000 };

export async function untilTrue({ evaluate }: Window, condition: string): Promise<void> {
  // A page that is just being replaced cannot say.
  const isTrue = () => evaluate<boolean>(`Boolean(${condition})`).catch(() => false);
  await until(condition, isTrue, WAIT);
}
