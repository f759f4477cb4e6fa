import { COMMAND } from '../../../command-name.ts';
import { visibleRows } from '../../../domain/access/visibility.ts';
import { NO_FILTER } from '../../../domain/feed-query.ts';
import { normaliseInstant } from '../../../domain/timestamp.ts';
import { LATEST } from '../../../domain/version-names.ts';
import { isUnreleasedName } from '../../../import/markdown/versions/words.ts';
import { presentSummary, presentVersion, type VersionSummary } from '../../../present/changelog.ts';
import * as catalogue from '../../../store/catalogue/catalogue.ts';
import { notFoundError } from '../../../store/catalogue/not-found.ts';
import type { Writer } from '../../../store/engine/engine.ts';
import { nameForRelease } from '../../../store/import/marks.ts';
import { findMoreChanges, findVersion } from '../../../store/read/find-version.ts';
import { findPage } from '../../../store/read/pages.ts';
import type { ProductPath } from '../../../store/read/reads.ts';
import { deleteVersion, scheduleVersion, setVersionStatus } from '../../../store/write/writes.ts';
import { argument, option, PRODUCT, parseLabel, ruled } from '../../arguments.ts';
import { type Cli, configOf, withReader, withWriter } from '../../cli.ts';
import { type Command, command } from '../../command.ts';
import { deletion, withCounts } from '../../confirm.ts';
import { sayIfHidden } from '../../report/outcomes.ts';
import { formatCell, formatRecord, formatTable } from '../../terminal/table.ts';

const EVERYTHING = visibleRows('team');
const ONE = [PRODUCT, argument('<version>', 'label or id of the version')];

const parseInstant = ruled(
  normaliseInstant,
  'ISO 8601 with a time zone, such as 2026-12-01T09:00+01:00 or 2026-12-01T08:00Z',
);

export const versionCommand: Command = {
  name: 'version',
  about: 'show and change versions',
  examples: [
    'version list acme/rocket',
    'version show acme/rocket latest',
    'version publish acme/rocket 2.1.0',
  ],
  commands: [
    command({
      name: 'list',
      about: 'list the versions of a product, drafts included',
      arguments: [PRODUCT],
      run: (cli, _, path: ProductPath) =>
        withReader(cli, async (db) => {
          const { found } = await findPage(db, path, EVERYTHING, NO_FILTER);
          if (found === undefined) throw await notFoundError(db, path);
          return found.versions.map(presentSummary);
        }),
      text: (versions, cli) => formatTable(cli, versions.map(summarise), 'There are no versions yet.'),
    }),
    command({
      name: 'show',
      about: 'show one version with its changes',
      arguments: [PRODUCT, argument('<version>', `label or id of the version, or ${LATEST}`)],
      run: (cli, _, path: ProductPath, name: string) => find(cli, path, name),
      text: (version) => describe(version),
    }),
    command({
      name: 'publish',
      about: 'publish a version now, or at a time; now sets its date if it has none',
      arguments: ONE,
      options: [
        option('--at <time>', 'publish it at this time, such as 2026-12-01T09:00+01:00', parseInstant),
        option('--as <label>', 'under this label, for a draft with a name such as Unreleased', parseLabel),
      ],
      examples: [
        'version publish acme/rocket 2.1.0',
        'version publish acme/rocket 2.1.0 --at 2026-12-01T09:00+01:00',
        'version publish acme/rocket Unreleased --as 2.2.0',
      ],
      run: (cli, { at, as }: { at?: string; as?: string }, path: ProductPath, typed: string) => {
        const name = as ?? typed;
        return change(cli, path, name, async (trx) => {
          await nameForRelease(trx, path, typed, { as, isUnreleasedName });
          if (at === undefined) await setVersionStatus(trx, path, name, { to: 'published', now: cli.now() });
          else await scheduleVersion(trx, path, name, at);
        });
      },
      text: (version) => describe(version),
      after: (_, cli, { at }) => {
        if (at !== undefined && !configOf(cli).scheduler)
          cli.say(`SCHEDULER is off: run \`${COMMAND} publish-due\` when it is due, or every minute.`);
      },
    }),
    command({
      name: 'unpublish',
      about: 'make a version a draft again, without a schedule; its date is kept',
      arguments: ONE,
      run: (cli, _, path: ProductPath, name: string) =>
        change(cli, path, name, (trx) => setVersionStatus(trx, path, name, { to: 'draft', now: cli.now() })),
      text: (version) => describe(version),
      after: (_, cli, __, [path, name]) => sayIfHidden(cli, `The ${nameOf(path, name)}`, 'draft'),
    }),
    command({
      name: 'unschedule',
      about: 'remove the schedule of a draft',
      arguments: ONE,
      run: (cli, _, path: ProductPath, name: string) =>
        change(cli, path, name, (trx) => scheduleVersion(trx, path, name, null)),
      text: (version) => describe(version),
    }),
    {
      name: 'schedule',
      about: 'show which versions are scheduled',
      examples: ['version schedule list acme/rocket'],
      commands: [
        command({
          name: 'list',
          about: 'list the scheduled drafts of a product, the next one first',
          arguments: [PRODUCT],
          run: async (cli, _, path: ProductPath) => {
            const scheduled = await withReader(cli, (db) => catalogue.listScheduled(db, path));
            return scheduled.map(({ isOverdue: overdue, lockedBy, ...version }) => {
              const reason = lockedBy === null ? 'no server' : `locked ${lockedBy}`;
              return { ...version, overdue, reason: overdue ? reason : null };
            });
          },
          text: (scheduled, cli) => {
            const rows = scheduled.map(({ id, version, title, publishAt: scheduled, reason: overdue }) => {
              return { version, title, scheduled, overdue, id };
            });
            return formatTable(cli, rows, 'There are no scheduled versions.');
          },
        }),
      ],
    },
    deletion({
      noun: 'version',
      about: 'delete one version with its changes',
      arguments: ONE,
      describe: async (db, _, path: ProductPath, name: string) => {
        const { label, changes } = await catalogue.countChangesOf(db, path, name);
        return withCounts(`the ${nameOf(path, label)}`, { change: changes });
      },
      remove: deleteVersion,
      nameOf: (_, name) => name,
    }),
  ],
};

const nameOf = ({ team, product }: ProductPath, label: string) => `version ${label} of ${team}/${product}`;

async function change(cli: Cli, path: ProductPath, name: string, work: (trx: Writer) => Promise<void>) {
  await withWriter(cli, work);
  return await find(cli, path, name);
}

async function find(cli: Cli, path: ProductPath, name: string) {
  const found = await withReader(cli, async (db) => {
    // A version with the label `latest` comes first, because other commands would change that version.
    const known = (await catalogue.findVersionId(db, path, name)) ?? (name === LATEST ? LATEST : '');
    const { found } = await findVersion(db, path, known, EVERYTHING);
    if (found === undefined) throw await notFoundError(db, { ...path, version: name });
    const versionId = found.version.id;
    const changes = [...found.changes];
    for (let after = found.end; after !== null; ) {
      const { found: more } = await findMoreChanges(db, { ...path, versionId, after }, EVERYTHING);
      changes.push(...(more?.changes ?? []));
      after = more?.end ?? null;
    }
    const scheduled = (await catalogue.listScheduled(db, path)).find(({ id }) => id === versionId);
    return { head: found.head, version: { ...found.version, changes }, publishAt: scheduled?.publishAt };
  });
  // Loaded only here, because loading it takes longer than everything else.
  const { renderAtOnce } = await import('../../../text/parse.ts');
  const record = await presentVersion(found.head, found.version, renderAtOnce);
  // The schedule, which records of the API do not have (R50).
  return found.publishAt === undefined ? record : { ...record, publishAt: found.publishAt };
}

function describe(version: Awaited<ReturnType<typeof find>>): string {
  const scheduled = 'publishAt' in version ? { scheduled: version.publishAt } : {};
  const changes = version.changes.map(
    ({ type, text, breaking }) => `${type}${breaking ? ', breaking' : ''}: ${formatCell(text)}`,
  );
  const list = changes.length === 0 ? 'It has no changes.' : changes.join('\n');
  return `${formatRecord({ ...summarise(version), ...scheduled })}\n\n${list}`;
}

function summarise(record: VersionSummary) {
  const { version, title, status, publishedAt: published, changeCount: changes, id } = record;
  return { version, title, status, published, changes, id };
}
