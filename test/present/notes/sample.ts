import type { ChangeType } from '../../../src/domain/model.ts';
import type { NotedVersion } from '../../../src/present/notes/form.ts';
import type { ChangeRow } from '../../../src/store/read/reads.ts';

export function noted(fields: Partial<NotedVersion>): NotedVersion {
  return { yanked: 0, description: null, changes: [], ...fields };
}

export function change(type: ChangeType, text: string, breaking: 0 | 1 = 0): ChangeRow {
  return { id: 'chg_1', type, text, breaking };
}
