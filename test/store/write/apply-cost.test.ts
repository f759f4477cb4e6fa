// The work of an apply, at every size.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { NO_APPEARANCE } from '../../../src/domain/content/appearance.ts';
import type { VersionContent } from '../../../src/domain/content/content.ts';
import type { Writer } from '../../../src/store/engine/engine.ts';
import { applyContent } from '../../../src/store/write/apply.ts';
import { databaseUrl } from '../../../support/databases/engine.ts';
import { openWriter } from '../../../support/databases/open.ts';
import { sharedScope, temporaryFolder } from '../../../support/processes/scope.ts';
import { runOk, type Sandbox } from '../../../support/program/command.ts';

const scope = sharedScope();
const sandbox: Sandbox = { folder: temporaryFolder(scope) };
let db: Writer;
before(async () => {
  await runOk(sandbox, ['migrate']);
  db = await openWriter(databaseUrl(sandbox), { create: false });
  scope.after(() => db.destroy());
});

const versionsOf = (count: number, changes: number, text = 'Something with *words*'): VersionContent[] =>
  Array.from({ length: count }, (_, index) => ({
    version: `${count - index}.0.0`,
    title: '',
    status: 'published',
    publishedAt: '2026-05-04T09:00:00.000Z',
    description: null,
    yanked: false,
    changes: Array.from({ length: changes }, (_, position) => ({
      type: 'added',
      text: `${text} ${position}`,
      breaking: false,
    })),
  }));

async function applyVersions(trx: Writer, versions: readonly VersionContent[]): Promise<void> {
  const changelog = {
    name: 'Rocket',
    description: null,
    language: 'en',
    status: 'published',
    versions,
  } as const;
  await applyContent(
    trx,
    {
      team: { slug: 'acme', name: 'Acme', visibility: 'public', plan: 'paid' },
      products: [{ slug: 'rocket', name: 'Rocket', status: 'published', ...NO_APPEARANCE, changelog }],
    },
    { pruning: false, now: '2026-06-01T00:00:00.000Z', report: () => {} },
  );
}

class Enough extends Error {}

/** The database is as before after each. */
async function inTransaction(work: (trx: Writer) => Promise<void>): Promise<void> {
  const done = db.transaction().execute(async (trx) => {
    await work(trx);
    throw new Enough();
  });
  await assert.rejects(done, Enough);
}

describe('what an apply costs', () => {
  it('statements are run for batches of versions, and not for each of them', async () => {
    const COUNT = 300;
    await inTransaction(async (trx) => {
      let statements = 0;
      const counted = trx.withPlugin({
        transformQuery: ({ node }) => {
          statements++;
          return node;
        },
        transformResult: async ({ result }) => result,
      });
      await applyVersions(counted, versionsOf(COUNT, 2));
      await applyVersions(counted, versionsOf(COUNT, 2, 'Edited'));
      assert.ok(statements > 10 && statements < COUNT, `${statements} statements`);
    });
  });
});
