/** What stands around the versions of a document, so that they can be written one after the other. */
export type Frame = Readonly<{ start: string; between: string; end: string }>;

export function inFrame({ start, between, end }: Frame, versions: readonly string[]): string {
  return start + versions.join(between) + end;
}
