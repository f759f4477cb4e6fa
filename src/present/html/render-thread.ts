// Renders on a separate thread, so that no text can block other requests.
import { parentPort } from 'node:worker_threads';
import { type Rendered, renderTexts } from './markdown.ts';

export type RenderRequest = Readonly<{ number: number; texts: readonly string[]; syntaxLeft: number }>;
export type RenderReply = Readonly<{ number: number; rendered: readonly Rendered[] }>;

parentPort?.on('message', ({ number, texts, syntaxLeft }: RenderRequest) => {
  parentPort?.postMessage({ number, rendered: renderTexts(texts, syntaxLeft) } satisfies RenderReply);
});
