import type { AnnouncementHook } from '../domain/hook.ts';
import { type Run, SHOWN_EVERYWHERE_MS } from './announce.ts';
import { DeliveryError } from './outgoing.ts';
import type { Sending } from './sending.ts';
import { addPending, type Delivery, noteOutcome, restoreDelivery, takeDelivery } from './store/deliveries.ts';

type Version = Pick<Delivery, 'versionId' | 'team' | 'product' | 'version'>;

/**
 * Sends a version to a hook at once and with a new id, whether it was announced before or not. If that fails, everything is
 * as it was: what a server still has to send, it sends.
 */
export async function announceNow(
  hook: AnnouncementHook,
  version: Version,
  { run, send }: Sending & Readonly<{ run: Run }>,
): Promise<Delivery> {
  // What a server would announce must be known, or it would be forgotten if this fails.
  await run((db) => addPending(db, hook, SHOWN_EVERYWHERE_MS));
  const taken = await run((db) => takeDelivery(db, { hook: hook.name, ...version }));
  if (taken === null) throw new DeliveryError('another process is sending it; wait 30 seconds');
  const { delivery } = taken;
  try {
    if (!(await send(hook, delivery))) throw new DeliveryError('it is not public any more');
  } catch (error) {
    await run((db) => restoreDelivery(db, taken));
    throw error;
  }
  await run((db) => noteOutcome(db, delivery, { state: 'sent' }));
  return delivery;
}
