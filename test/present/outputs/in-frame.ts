import type { Frame } from '../../../src/present/outputs/output.ts';

export function inFrame({ start, between, end }: Frame, written: readonly string[]): string {
  return start + written.join(between) + end;
}
