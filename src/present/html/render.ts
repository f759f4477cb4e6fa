import { andThen, type MaybePromise } from '../../domain/maybe-promise.ts';
import { yieldToEventLoop } from '../../event-loop.ts';

/** Renders texts that share one budget, such as a version's changes, in order; without a promise if it is quick. */
export type Render = (texts: readonly string[]) => MaybePromise<readonly string[]>;

type ChangeHtml = (html: string) => string;

/** More than this is changed one text at a time, and other requests are served in between. */
const AT_ONCE_CHARACTERS_MAX = 10_000;

/** HTML is cached by its text, so what depends on the product is changed afterwards; null if nothing is. */
export function thenChange(render: Render, change: ChangeHtml | null): Render {
  if (change === null) return render;
  return (texts) =>
    andThen(render(texts), (html) => {
      const characters = html.reduce((sum, each) => sum + each.length, 0);
      return characters > AT_ONCE_CHARACTERS_MAX ? changeInSlices(html, change) : html.map(change);
    });
}

async function changeInSlices(texts: readonly string[], change: ChangeHtml): Promise<readonly string[]> {
  const changed: string[] = [];
  for (const html of texts) {
    await yieldToEventLoop();
    changed.push(change(html));
  }
  return changed;
}

const RECENT_MAX = 2;

/** For several files of one version: its description and its changes are rendered once. */
export function rememberRecent(render: Render): Render {
  const recent: Readonly<{ texts: readonly string[]; html: readonly string[] }>[] = [];
  return (texts) => {
    const known = recent.find((each) => isSame(each.texts, texts));
    if (known !== undefined) return known.html;
    return andThen(render(texts), (html) => {
      recent.unshift({ texts, html });
      recent.length = Math.min(recent.length, RECENT_MAX);
      return html;
    });
  };
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, index) => text === other[index]);
}
