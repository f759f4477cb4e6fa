import { andThen, type MaybePromise } from '../../domain/maybe-promise.ts';

/** Renders texts that share one budget, such as a version's changes, in order; without a promise if it is quick. */
export type Render = (texts: readonly string[]) => MaybePromise<readonly string[]>;

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
