// Why there may be nothing to read. These are only notes: an empty database is not a problem.
import { COMMAND } from '../../command-name.ts';
import { presentAt } from '../../domain/content/future-date.ts';
import { listTeams } from '../../store/catalogue/catalogue.ts';
import {
  hasPublicProduct,
  type LockedOut,
  listFuture,
  listLockedOut,
  listUnreadable,
  type Unreadable,
} from '../../store/catalogue/health.ts';
import { listOverdue } from '../../store/catalogue/schedule.ts';
import type { Reader } from '../../store/engine/engine.ts';
import { describeFuture } from '../report/future-dates.ts';
import { describeLocked, describeOverdue } from '../report/overdue.ts';
import { type Finding, note, pass } from './finding.ts';

/** Per kind. */
const NOTES_MAX = 5;

export async function checkContent(
  db: Reader,
  { now, canReadKeys }: { now: string; canReadKeys: boolean },
): Promise<Finding[]> {
  const teams = await listTeams(db);
  if (teams.length === 0)
    return [
      note('content', `There is no team yet. \`${COMMAND} init\` or \`${COMMAND} apply\` creates one.`),
    ];
  const isPublic = await hasPublicProduct(db);
  const unreadable = await listUnreadable(db, NOTES_MAX);
  const lockedOut = canReadKeys ? await listLockedOut(db, NOTES_MAX) : [];
  const future = await listFuture(db, presentAt(now), NOTES_MAX);
  const notes = [
    ...(isPublic ? [] : [NOTHING_PUBLIC]),
    ...unreadable.map(describeUnreadable),
    ...lockedOut.map(describeLockedOut),
    ...(future.count === 0 ? [] : [describeFuture(future.first, future.count)]),
    ...describeOverdue(await listOverdue(db, { isLocked: false, limit: NOTES_MAX })),
    ...describeLocked(await listOverdue(db, { isLocked: true, limit: NOTES_MAX })),
  ];
  if (notes.length === 0) return [pass('content', 'Every published product has a public version to read.')];
  return notes.map((text) => note('content', text));
}

const NOTHING_PUBLIC = `Nothing is public. Use \`${COMMAND} team set --visibility public\` and \`${COMMAND} product set --status published\`.`;

function describeLockedOut({ team, plan, someKey }: LockedOut): string {
  if (someKey !== null)
    return `The team ${team} is private, and all of its keys are disabled. \`${COMMAND} key enable ${someKey}\` changes that.`;
  const create = `\`${COMMAND} key create ${team} --kind FULL\` creates one`;
  return plan === 'paid'
    ? `The team ${team} is private and has no key. ${create}.`
    : `The team ${team} is private and has no key. Keys need a paid plan: after \`${COMMAND} team set ${team} --plan paid\`, ${create}.`;
}

function describeUnreadable({ team, product, lacks }: Unreadable): string {
  const name = `${team}/${product}`;
  switch (lacks) {
    case 'changelog':
      return `The product ${name} is published but has no changelog. \`${COMMAND} apply\` adds one.`;
    case 'published changelog':
      return `The product ${name} is published, but its changelog is not. \`${COMMAND} changelog set ${name} --status published\` changes that.`;
    case 'published version':
      return `The changelog of ${name} is public but has no published version. \`${COMMAND} version list ${name}\` lists its drafts; \`${COMMAND} version publish\` publishes one.`;
  }
}
