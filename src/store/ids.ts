import { v7 } from 'uuid';
import { ID_PREFIXES, type IdKind } from '../domain/model.ts';

/** A new identifier: its kind, and a UUIDv7, whose rising order keeps inserts at one end of an index. */
export function newId(kind: IdKind): string {
  return `${ID_PREFIXES[kind]}_${v7().replaceAll('-', '')}`;
}
