// The tables as the queries see them. Moments are ISO 8601 text, truth values 0 and 1, states plain words.
import type { Generated, GeneratedAlways } from 'kysely';
import type {
  ChangeType,
  KeyKind,
  KeyState,
  Plan,
  PublicationState,
  VersionState,
  Visibility,
} from '../../domain/model.ts';

export type Bit = 0 | 1;

export interface Tables {
  teams: {
    id: Generated<number>;
    slug: string;
    name: string;
    visibility: Visibility;
    plan: Plan;
  };
  products: {
    id: Generated<number>;
    team_id: number;
    slug: string;
    name: string;
    status: PublicationState;
  };
  changelogs: {
    id: string;
    product_id: number;
    name: string;
    status: PublicationState;
  };
  versions: {
    id: string;
    changelog_id: string;
    label: string;
    title: string;
    status: VersionState;
    published_at: string | null;
    description: string | null;
    yanked: Bit;
    created_order: number;
    sort_key: GeneratedAlways<string>;
    /** Kept by triggers, or by whoever writes in bulk. */
    change_count: Generated<number>;
  };
  changes: {
    id: string;
    version_id: string;
    position: number;
    type: ChangeType;
    text: string;
    breaking: Bit;
  };
  api_keys: {
    id: string;
    team_id: number;
    kind: KeyKind;
    status: KeyState;
    name: string | null;
    hash: string;
    created_at: string;
  };
  api_key_products: {
    key_id: string;
    product_id: number;
    team_id: number;
    kind: 'SELECT';
  };
  /** Every changelog that is public all the way, kept by triggers. */
  public_changelogs: {
    team_slug: string;
    product_slug: string;
    team_id: number;
    product_id: number;
    changelog_id: string;
  };
  /** What versions are found by besides their id; see facts.ts. */
  version_facts: {
    version_id: string;
    changelog_id: string;
    label: string;
    status: VersionState;
    sort_key: string;
    /** Null for a label that is no version. */
    version_order: string | null;
    /** As much of it as its first number takes. */
    major: string | null;
    is_prerelease: Bit;
    body: string;
  };
  revision: {
    id: number;
    value: number;
    /** What cursors are sealed with. */
    cursor_key: string;
  };
  /** The last write to a team or product that there is. */
  touches: {
    team_id: number;
    product_id: number;
    revision: number;
    /** The last of these that wrote anything which the public surface shows; 0: none did. */
    public_revision: Generated<number>;
  };
  key_usage: {
    key_id: string;
    last_used_at: string;
  };
  /** What the last import left of a version; see import-marks.ts. */
  import_marks: {
    version_id: string;
    mark: string;
  };
}
