import type { Command } from 'commander';
import { visibleRows } from '../../../domain/access/visibility.ts';
import { NO_FILTER } from '../../../domain/feed-query.ts';
import type { VersionState } from '../../../domain/model.ts';
import { LATEST } from '../../../domain/version-names.ts';
import { isUnreleasedName } from '../../../import/markdown/versions/words.ts';
import { presentSummary, presentVersion } from '../../../present/changelog.ts';
import type { VersionSummary } from '../../../present/records.ts';
import { countChangesOf, findVersionId, listScheduled } from '../../../store/catalogue/catalogue.ts';
import { notFoundError } from '../../../store/catalogue/not-found.ts';
import type { Reader, Writer } from '../../../store/engine/engine.ts';
import { nameForRelease } from '../../../store/import/marks.ts';
import { findMoreChanges, findVersion } from '../../../store/read/find-version.ts';
import { findPage } from '../../../store/read/pages.ts';
import type { ProductPath } from '../../../store/read/reads.ts';
import { deleteVersion, scheduleVersion, setVersionStatus } from '../../../store/write/writes.ts';
import { parseLabel, parseProduct, withExamples, withJson } from '../../arguments.ts';
import { type Cli, printResult, withReader, withWriter } from '../../cli.ts';
import { deleteConfirmed, withCounts, withYes } from '../../confirm.ts';
import { sayIfHidden } from '../../hidden.ts';
import { DateWarnings } from '../../report/dates.ts';
import { warn } from '../../report/outcomes.ts';
import { escapeName } from '../../terminal/plain.ts';
import { formatRecord, formatTable } from '../../terminal/table.ts';
import { addSchedule, explainSchedule, parseInstant } from './schedule.ts';

const EVERYTHING = visibleRows('team');

type ShowOptions = Readonly<{ json?: boolean }>;
type PublishOptions = ShowOptions & Readonly<{ at?: string; as?: string }>;
type Work = (trx: Writer) => Promise<void>;
/** What to do first, in the same transaction. */
type MoveOptions = ShowOptions & Readonly<{ prepare?: Work }>;

export function addVersion(program: Command, cli: Cli): void {
  const version = program.command('version').description('show and change versions');
  withExamples(
    version,
    'version list acme/rocket',
    'version show acme/rocket latest',
    'version publish acme/rocket 2.1.0',
  );
  const one = (verb: string, which = 'label or id of the version') =>
    withJson(version.command(verb))
      .argument('<team/product>', 'such as acme/rocket', parseProduct)
      .argument('<version>', which);

  withJson(version.command('list'))
    .description('list the versions of a product, drafts included')
    .argument('<team/product>', 'such as acme/rocket', parseProduct)
    .action(async (path: ProductPath, options) => {
      const { feed, scheduled } = await withReader(cli, async (db) => {
        const { found } = await findPage(db, path, EVERYTHING, NO_FILTER);
        if (found === undefined) throw await notFoundError(db, path);
        return { feed: found, scheduled: await listScheduled(db, path) };
      });
      const times = new Map(scheduled.map(({ id, publishAt }) => [id, publishAt]));
      const versions = feed.versions.map((row) =>
        withSchedule(presentSummary(row), times.get(row.id) ?? null),
      );
      const summarise = times.size === 0 ? summariseUnscheduled : summariseScheduled;
      printResult(cli, options, versions, () =>
        formatTable(cli, versions.map(summarise), 'There are no versions yet.'),
      );
    });

  one('show', `label or id of the version, or ${LATEST}`)
    .description('show one version with its changes')
    .action(async (path: ProductPath, idOrLabel: string, options) => {
      await show(cli, path, idOrLabel, options);
    });

  const write = ({ prepare }: MoveOptions, work: Work) =>
    withWriter(cli, async (trx) => {
      await prepare?.(trx);
      await work(trx);
    });
  const move = async (to: VersionState, path: ProductPath, idOrLabel: string, options: MoveOptions) => {
    await write(options, (trx) => setVersionStatus(trx, path, idOrLabel, { to, now: cli.now() }));
    const { version, publishedAt, status } = await show(cli, path, idOrLabel, options);
    sayIfHidden(cli, nameOf(path, idOrLabel), to);
    const dates = new DateWarnings(cli.now());
    dates.add(`${path.team}/${path.product} ${version}`, status === 'published' ? publishedAt : null);
    warn(cli, dates.warnings());
  };
  const schedule = async (
    publishAt: string | null,
    path: ProductPath,
    idOrLabel: string,
    options: MoveOptions,
  ) => {
    await write(options, (trx) => scheduleVersion(trx, path, idOrLabel, publishAt));
    await show(cli, path, idOrLabel, options);
    if (publishAt !== null) explainSchedule(cli, nameOf(path, idOrLabel), publishAt);
  };

  withExamples(
    one('publish'),
    'version publish acme/rocket 2.1.0',
    'version publish acme/rocket 2.1.0 --at 2026-12-01T09:00+01:00',
    'version publish acme/rocket Unreleased --as 2.2.0',
  )
    .description('publish a version now, or at a time; now sets its date if it has none')
    .option(
      '--at <time>',
      'publish it at this time instead of now, such as 2026-12-01T09:00+01:00',
      parseInstant,
    )
    .option(
      '--as <label>',
      'publish a draft under this label, instead of a name such as Unreleased',
      parseLabel,
    )
    .action((path: ProductPath, typed: string, { at, as, ...flags }: PublishOptions) => {
      const prepare = (trx: Writer) => nameForRelease(trx, path, typed, { as, isUnreleasedName });
      const options = { ...flags, prepare };
      const name = as ?? typed;
      return at === undefined ? move('published', path, name, options) : schedule(at, path, name, options);
    });

  one('unpublish')
    .description('make a version a draft again, without a schedule; its date is kept')
    .action((path: ProductPath, idOrLabel: string, options) => move('draft', path, idOrLabel, options));

  one('unschedule')
    .description('remove the schedule of a draft')
    .action((path: ProductPath, idOrLabel: string, options) => schedule(null, path, idOrLabel, options));

  addSchedule(version, cli);

  withYes(one('delete'))
    .description('delete one version with its changes')
    .action(async (path: ProductPath, idOrLabel: string, options) => {
      const describe = async (db: Reader) => {
        const { label, changes } = await countChangesOf(db, path, idOrLabel);
        return withCounts(nameOf(path, label), { change: changes });
      };
      await deleteConfirmed(cli, options, describe, (trx) => deleteVersion(trx, path, idOrLabel));
      printResult(
        cli,
        options,
        { deleted: idOrLabel },
        () => `Deleted the version ${escapeName(idOrLabel)}.`,
      );
    });
}

async function show(
  cli: Cli,
  path: ProductPath,
  idOrLabel: string,
  options: ShowOptions,
): Promise<VersionSummary> {
  const found = await withReader(cli, async (db) => {
    // A version with the label `latest` comes first, because other commands would change that version.
    const name = (await findVersionId(db, path, idOrLabel)) ?? (idOrLabel === LATEST ? LATEST : undefined);
    const { found } = name === undefined ? {} : await findVersion(db, path, name, EVERYTHING);
    if (found === undefined) throw await notFoundError(db, { ...path, version: idOrLabel });
    const versionId = found.version.id;
    const changes = [...found.changes];
    for (let after = found.end; after !== null; ) {
      const { found: more } = await findMoreChanges(db, { ...path, versionId, after }, EVERYTHING);
      changes.push(...(more?.changes ?? []));
      after = more?.end ?? null;
    }
    const scheduled = (await listScheduled(db, path)).find(({ id }) => id === versionId);
    return { ...found, changes, publishAt: scheduled?.publishAt ?? null };
  });
  // Loaded only here, because loading it takes longer than everything else.
  const { renderAtOnce } = await import('../../../text/parse.ts');
  const record = await presentVersion(found.head, { ...found.version, changes: found.changes }, renderAtOnce);
  const version = withSchedule(record, found.publishAt);
  printResult(cli, options, version, () => {
    const changes = version.changes.map(({ type, text, breaking }) => ({
      type,
      breaking: breaking ? 'breaking' : '',
      text,
    }));
    return [
      formatRecord((version.publishAt ? summariseScheduled : summariseUnscheduled)(version)),
      '',
      formatTable(cli, changes, 'It has no changes.', { whole: true }),
    ].join('\n');
  });
  return version;
}

const nameOf = ({ team, product }: ProductPath, label: string) =>
  `the version ${label} of ${team}/${product}`;

/** Adds the schedule, which records of the API do not have (R50). */
function withSchedule<Version extends VersionSummary>(version: Version, publishAt: string | null) {
  if (publishAt === null) return version as Version & { publishAt?: string };
  const { id, object, version: label, title, status, publishedAt, ...rest } = version;
  const start = { id, object, version: label, title, status, publishedAt, publishAt };
  return { ...start, ...rest } as unknown as Version & { publishAt?: string };
}

function summariseUnscheduled({ version, title, status, publishedAt, changeCount, id }: VersionSummary) {
  return { version, title, status, published: publishedAt, changes: changeCount, id };
}

function summariseScheduled(version: VersionSummary & { publishAt?: string }) {
  const { id, changes, ...start } = summariseUnscheduled(version);
  return { ...start, scheduled: version.publishAt ?? null, changes, id };
}
