const MISTAKES_MAX = 3;
const CHARACTERS_PER_MISTAKE = 3;

type Strictness = Readonly<{
  /** One mistake is allowed per this many characters. */
  charactersPerMistake?: number;
  /** Whether the beginning of a candidate is enough. */
  isBeginningEnough?: boolean;
}>;

/** The candidate that was probably meant, if any is close enough. */
export function nearest(
  wanted: string,
  candidates: Iterable<string>,
  { charactersPerMistake = CHARACTERS_PER_MISTAKE, isBeginningEnough = true }: Strictness = {},
): string | undefined {
  const typed = fold(wanted);
  let best: string | undefined;
  let fewest = MISTAKES_MAX + 1;
  let longer: string | undefined;
  for (const candidate of candidates) {
    const folded = fold(candidate);
    const length = Math.max(typed.length, folded.length);
    const allowed = Math.min(fewest - 1, Math.floor(length / charactersPerMistake));
    const mistakes = countMistakes(typed, folded, allowed);
    if (mistakes <= allowed) {
      best = candidate;
      fewest = mistakes;
    }
    if (isBeginningEnough && typed.length > 1 && folded.startsWith(typed)) longer ??= candidate;
  }
  return best ?? longer;
}

/** Ignores case, and a `v` before a number. */
function fold(text: string): string {
  return text.toLowerCase().replace(/^v(?=[0-9])/, '');
}

/**
 * Edit distance with swaps of adjacent characters; stops counting above the limit. A different digit counts as two
 * mistakes, because it is more likely another version than a typo.
 */
export function countMistakes(a: string, b: string, allowed: number): number {
  if (Math.abs(a.length - b.length) > allowed) return allowed + 1;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(
        at(last, j) + 1,
        at(row, j - 1) + 1,
        at(last, j - 1) + (same ? 0 : isDigit(a[i - 1]) && isDigit(b[j - 1]) ? 2 : 1),
        swapped ? at(before, j - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    if (Math.min(...row) > allowed) return allowed + 1;
    before = last;
    last = row;
  }
  return at(last, b.length);
}

function isDigit(character = ''): boolean {
  return character >= '0' && character <= '9';
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
