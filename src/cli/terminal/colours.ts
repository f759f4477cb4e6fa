// Colours on a terminal only, and only without NO_COLOR (https://no-color.org).
import { styleText } from 'node:util';
import type { Cli } from '../cli.ts';

type TextStyle = 'bold' | 'red' | 'green' | 'yellow';
export type Paint = (style: TextStyle, text: string) => string;

export function outputPaint(cli: Pick<Cli, 'environment' | 'columns'>): Paint {
  return paintIf(cli, cli.columns !== undefined);
}

export function errorPaint(cli: Pick<Cli, 'environment' | 'terminal'>): Paint {
  return paintIf(cli, cli.terminal !== undefined);
}

function paintIf({ environment }: Pick<Cli, 'environment'>, isTerminal: boolean): Paint {
  const isWanted = isTerminal && !environment.NO_COLOR && environment.TERM !== 'dumb';
  return isWanted ? (style, text) => styleText(style, text, { validateStream: false }) : (_, text) => text;
}
