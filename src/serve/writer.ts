import type { Writer } from '../store/engine/engine.ts';
import { isReadOnly } from '../store/engine/failures.ts';
import { engineOf } from '../store/engine/open.ts';

type Opened = { readonly writer: Promise<Writer>; uses: number; isOver: boolean };

/** A connection for one kind of write, opened on first use. The server writes nothing else. */
export function openLater(url: string, options: { isDurable: boolean }) {
  let current: Opened | null = null;
  const open = async () => (await engineOf(url)).openRecorder(url, options);
  /** The next write opens another one. This one is closed once nobody uses it: some need several statements. */
  function leave(opened: Opened): void {
    if (current === opened) current = null;
    opened.isOver = true;
    if (opened.uses === 0) opened.writer.then((writer) => writer.destroy()).catch(() => {});
  }
  return {
    run: async <T>(write: (db: Writer) => Promise<T>): Promise<T> => {
      current ??= { writer: open(), uses: 0, isOver: false };
      const opened = current;
      opened.uses++;
      try {
        const writer = await opened.writer.catch((error) => {
          opened.isOver = true;
          throw error;
        });
        return await write(writer);
      } catch (error) {
        // A connection stays read-only even if the database does not.
        opened.isOver ||= isReadOnly(error);
        throw error;
      } finally {
        opened.uses--;
        if (opened.isOver) leave(opened);
      }
    },
    /** A write in progress goes to the replaced file, so its outcome does not matter. */
    reopen: () => {
      if (current !== null) leave(current);
    },
    close: async () => await (await current?.writer)?.destroy(),
  };
}
