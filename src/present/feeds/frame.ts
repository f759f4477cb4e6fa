/** The text around the versions of a feed, so that they can be written one by one. */
export type Frame = Readonly<{ start: string; between: string; end: string }>;

export function inFrame({ start, between, end }: Frame, versions: readonly string[]): string {
  return start + versions.join(between) + end;
}
