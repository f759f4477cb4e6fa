// Why somebody might find nothing to read. An empty database is no mistake, and so these are only notes.
import { listTeams } from '../../store/catalogue/catalogue.ts';
import {
  hasPublicProduct,
  listLockedOut,
  listUnreadable,
  type Unreadable,
} from '../../store/catalogue/health.ts';
import type { Reader } from '../../store/engine/engine.ts';
import { type Finding, pass } from './finding.ts';

/** Of each kind: who has more of them knows by then. */
const NOTES_MAX = 5;

export async function checkContent(db: Reader): Promise<Finding[]> {
  const teams = await listTeams(db);
  if (teams.length === 0)
    return [pass('content', 'There is no team yet: `changelog init` or `changelog apply` makes one.')];
  const isPublic = await hasPublicProduct(db);
  const unreadable = await listUnreadable(db, NOTES_MAX);
  const lockedOut = await listLockedOut(db, NOTES_MAX);
  const notes = [
    ...(isPublic ? [] : [NOTHING_PUBLIC]),
    ...unreadable.map(describeUnreadable),
    ...lockedOut.map(({ team, someKey }) =>
      someKey === null
        ? `The team ${team} is private and has no key: \`changelog key create ${team} --kind FULL\` makes one.`
        : `The team ${team} is private, and all of its keys are disabled: \`changelog key enable ${someKey}\` changes that.`,
    ),
  ];
  if (notes.length === 0) return [pass('content', 'There is something for everybody to read.')];
  return notes.map((note) => pass('content', note));
}

const NOTHING_PUBLIC =
  'Nothing is public: that takes a team with `--visibility public` and a product with `--status published`, as `changelog team set` and `changelog product set` make them.';

function describeUnreadable({ team, product, lacks }: Unreadable): string {
  const name = `${team}/${product}`;
  switch (lacks) {
    case 'changelog':
      return `The product ${name} is published and has no changelog: \`changelog apply\` gives it one.`;
    case 'published changelog':
      return `The product ${name} is published, but not its changelog: \`changelog changelog set ${name} --status published\` changes that.`;
    case 'published version':
      return `The changelog of ${name} is public and has no published version: \`changelog version list ${name}\` shows what \`changelog version publish\` could publish.`;
  }
}
