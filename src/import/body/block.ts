import type { Item } from './items.ts';

/** A block of Markdown at the top level. */
export type Block =
  | Readonly<{ kind: 'heading'; level: number; name: string; text: string }>
  /** A list, or a table with a change in each row. */
  | Readonly<{ kind: 'list'; text: string; items: readonly Item[] }>
  /** Code or a table, which belongs to the block before it. */
  | Readonly<{ kind: 'inset'; text: string }>
  | Readonly<{ kind: 'text'; text: string }>;
