// The tables as typed queries see them. Timestamps are ISO 8601 text, and booleans are 0 and 1.
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
    home_url: string | null;
    base_url: string | null;
    repository_url: string | null;
    logo: string | null;
    image: string | null;
    accent: string | null;
    /** In lower case and ASCII (R60). */
    domain: string | null;
  };
  changelogs: {
    id: string;
    product_id: number;
    name: string;
    status: PublicationState;
    language: Generated<string>;
    description: string | null;
    /** A fingerprint of the description that the last import wrote. */
    description_mark: string | null;
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
    /** Kept by triggers. */
    change_count: Generated<number>;
    /** A bit for each type of its changes, and for each type of its breaking ones. Kept by triggers. */
    types: Generated<number>;
    breaking: Generated<number>;
    /**
     * When anything that the record shows last changed; null if not since it was created with the date of
     * `published_at`. Kept by triggers. A write that sets it keeps its value.
     */
    updated_at: string | null;
    /** When to publish a draft (R50); always null for a published version. */
    publish_at: string | null;
    /** All changes to the code since the version before. */
    compare_url: string | null;
    image: string | null;
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
    /** From then on the key is a disabled one (R67); null if it has no end. */
    expires_at: string | null;
  };
  /** Every publicly visible changelog: its team, its product and itself are public. Maintained by triggers. */
  public_changelogs: {
    team_slug: string;
    product_slug: string;
    team_id: number;
    product_id: number;
    changelog_id: string;
  };
}
