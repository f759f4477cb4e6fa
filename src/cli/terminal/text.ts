// Text for a terminal: without control characters, so that stored text cannot control it, and in colours.
import { styleText } from 'node:util';
import type { Environment } from '../../config.ts';

/** Control characters, and those that change the direction of text. */
const CONTROLS = /[^\P{Cc}\t\n]|\p{Bidi_Control}/gu;
const TWO_DIGITS_MAX = 0xff;

/** Prints `\x1b[2J` instead of clearing the screen. Tabs and line breaks stay. */
export function escapeControls(text: string): string {
  return text.replace(CONTROLS, (character) => {
    const code = character.charCodeAt(0);
    const digits = code.toString(16);
    return code > TWO_DIGITS_MAX ? `\\u${digits.padStart(4, '0')}` : `\\x${digits.padStart(2, '0')}`;
  });
}

/** Also escapes line breaks, for names of files. */
export function escapeName(name: string): string {
  return escapeControls(name).replaceAll('\n', '\\n');
}

/** Also escapes the control characters that JSON.stringify does not. Parsing the text returns the same value. */
export function formatJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(/[\x7f-\x9f]|\p{Bidi_Control}/gu, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** Quotes a word of a command that users copy into a shell. */
export function shellWord(text: string): string {
  return /^[\w./@%+=:,-]+$/.test(text) ? text : `'${escapeName(text).replaceAll("'", "'\\''")}'`;
}

export const formatNumber = (amount: number) => amount.toLocaleString('en');

/** `1,000 versions` */
export function count(amount: number, noun: string): string {
  return `${formatNumber(amount)} ${noun}${amount === 1 ? '' : 's'}`;
}

type TextStyle = 'bold' | 'red' | 'green' | 'yellow';
export type Paint = (style: TextStyle, text: string) => string;
/** What is absent is not a terminal. */
type Streams = Readonly<{ environment: Environment; columns?: object; terminal?: object }>;

/** Colours on a terminal only, and only without NO_COLOR (https://no-color.org). */
export function outputPaint({ environment, columns }: Streams): Paint {
  return paintIf(environment, columns !== undefined);
}

export function errorPaint({ environment, terminal }: Streams): Paint {
  return paintIf(environment, terminal !== undefined);
}

function paintIf(environment: Environment, isTerminal: boolean): Paint {
  const isWanted = isTerminal && !environment.NO_COLOR && environment.TERM !== 'dumb';
  return isWanted ? (style, text) => styleText(style, text, { validateStream: false }) : (_, text) => text;
}
