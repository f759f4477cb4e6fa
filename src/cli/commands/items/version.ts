import type { Command } from 'commander';
import { visibleRows } from '../../../domain/access/visibility.ts';
import { VERSION_STATES } from '../../../domain/model.ts';
import { formatSummaries } from '../../../present/changelog.ts';
import type { VersionSummary } from '../../../present/schemas.ts';
import { presentVersion, textsOf } from '../../../present/version.ts';
import { findVersionId } from '../../../store/catalogue/catalogue.ts';
import { countChangesOf } from '../../../store/catalogue/dependents.ts';
import { pathNotFoundError, versionNotFoundError } from '../../../store/catalogue/not-found.ts';
import type { Reader } from '../../../store/engine/engine.ts';
import { findVersion, LATEST } from '../../../store/read/find-version.ts';
import { findFeed, type ProductPath } from '../../../store/read/reads.ts';
import { deleteVersion, setVersionStatus } from '../../../store/write/writes.ts';
import { parseProduct, withExamples, withJson } from '../../arguments.ts';
import { type Cli, printResult, withReader, withWriter } from '../../cli.ts';
import { sayIfHidden } from '../../hidden.ts';
import { FutureDates } from '../../report/future-dates.ts';
import { warn } from '../../report/outcomes.ts';
import { deleteConfirmed, withCounts, withYes } from '../../terminal/confirm.ts';
import { escapeName } from '../../terminal/plain.ts';
import { formatRecord, formatTable } from '../../terminal/table.ts';

const EVERYTHING = visibleRows('team');
const VERBS: Record<(typeof VERSION_STATES)[number], string> = { published: 'publish', draft: 'unpublish' };

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
      const feed = await withReader(cli, async (db) => {
        const { found } = await findFeed(db, path, EVERYTHING);
        if (found !== undefined) return found;
        throw await pathNotFoundError(db, path);
      });
      const versions = JSON.parse(formatSummaries(feed.versions)) as VersionSummary[];
      printResult(cli, options, versions, () =>
        formatTable(cli, versions.map(summarise), 'There are no versions yet.'),
      );
    });

  one('show', `label or id of the version, or ${LATEST}`)
    .description('show one version with its changes')
    .action(async (path: ProductPath, idOrLabel: string, options) => {
      await show(cli, path, idOrLabel, options);
    });

  for (const to of VERSION_STATES) {
    one(VERBS[to])
      .description(
        to === 'published'
          ? 'publish a version; sets its date if it has none'
          : 'make a version a draft again; its date is kept',
      )
      .action(async (path: ProductPath, idOrLabel: string, options) => {
        await withWriter(cli, (trx) => setVersionStatus(trx, path, idOrLabel, { to, now: cli.now() }));
        const { version, publishedAt, status } = await show(cli, path, idOrLabel, options);
        sayIfHidden(cli, `the version ${idOrLabel} of ${path.team}/${path.product}`, to);
        const dates = new FutureDates(cli.now());
        dates.add(`${path.team}/${path.product} ${version}`, status === 'published' ? publishedAt : null);
        warn(cli, dates.warnings());
      });
  }

  withYes(one('delete'))
    .description('delete one version with its changes')
    .action(async (path: ProductPath, idOrLabel: string, options) => {
      const describe = async (db: Reader) => {
        const { label, changes } = await countChangesOf(db, path, idOrLabel);
        return withCounts(`the version ${label} of ${path.team}/${path.product}`, { change: changes });
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
  options: { json?: boolean },
): Promise<VersionSummary> {
  const found = await withReader(cli, async (db) => {
    // A version with the label `latest` comes first: it is what the other commands would change.
    const name = (await findVersionId(db, path, idOrLabel)) ?? (idOrLabel === LATEST ? LATEST : undefined);
    const { found } = name === undefined ? {} : await findVersion(db, path, name, EVERYTHING);
    if (found === undefined) throw await versionNotFoundError(db, path, idOrLabel);
    const changes = [...found.changes];
    for (let next = found.next; next !== null; ) {
      const { found: more } = await findVersion(db, path, found.version.id, EVERYTHING, next);
      changes.push(...(more?.changes ?? []));
      next = more?.next ?? null;
    }
    return { ...found, changes };
  });
  // Loaded only here, because loading it takes longer than everything else.
  const { renderTexts } = await import('../../../present/html/markdown.ts');
  const { resolveLinks } = await import('../../../present/html/relative-links.ts');
  const html = renderTexts(textsOf(found.changes)).map((rendered) =>
    resolveLinks(rendered.html, found.head.linkBase),
  );
  const version = presentVersion(found, html);
  printResult(cli, options, version, () => {
    const changes = version.changes.map(({ type, text, breaking }) => ({
      type,
      breaking: breaking ? 'breaking' : '',
      text,
    }));
    return [
      formatRecord(summarise(version)),
      '',
      formatTable(cli, changes, 'It has no changes.', { whole: true }),
    ].join('\n');
  });
  return version;
}

function summarise({ version, title, status, publishedAt, changeCount, id }: VersionSummary) {
  return { version, title, status, published: publishedAt, changes: changeCount, id };
}
