// The tables of hooks, for typed queries.
import type { Generated } from 'kysely';

declare module '../../store/engine/schema.ts' {
  interface Tables {
    /** What each hook has done; its name is that of the hooks file. */
    hooks: {
      name: string;
      set_up_at: string;
      /** Versions with an earlier date may have been public before the hook was set up. */
      announces_from: string;
      /** Everything public up to this revision was announced or noted as pending, or purged. */
      revision: number;
      /** The process that purges, until when no other one does. */
      claimed_by: Generated<string>;
      claimed_until: Generated<string>;
      /** When it last purged something. */
      purged_at: string | null;
      /** Why it could not purge the last time; null if it could. */
      failure: string | null;
    };
    /** One version for one hook. Its version may be gone: a version with the same id is not announced again. */
    hook_deliveries: {
      hook: string;
      version_id: string;
      /** `known`: public before the hook was set up. */
      state: DeliveryState;
      message_id: string;
      /** How often sending it was begun. */
      attempts: Generated<number>;
      /** When to send it, and while it is being sent, when another process may. */
      due_at: string;
      /** When it was sent or given up. */
      done_at: string | null;
      failure: string | null;
    };
  }
}

export const DELIVERY_STATES = ['known', 'pending', 'sent', 'given_up'] as const;
type DeliveryState = (typeof DELIVERY_STATES)[number];
