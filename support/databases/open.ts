// Connections like those of the program, for tests and proofs.
import type { OpenOptions, Reader, Writer } from '../../src/store/engine/engine.ts';
import { engineOf } from '../../src/store/engine/open.ts';

export async function openReader(url: string, options: OpenOptions = {}): Promise<Reader> {
  return (await engineOf(url)).openReader(url, options);
}

export async function openWriter(url: string, options: { create: boolean }): Promise<Writer> {
  return (await engineOf(url)).openWriter(url, options);
}
