// A database with any number of products to import changelogs into and read from the API.
import assert from 'node:assert/strict';
import { type Scope, temporaryFolder } from '../../support/processes/scope.ts';
import { startApp, type TestApp } from '../../support/program/app.ts';
import {
  apply,
  type CommandResult,
  createKey,
  run,
  runOk,
  type Sandbox,
} from '../../support/program/command.ts';

const TEAM = 'acme';
/** Products are created in batches. */
const PRODUCTS_AT_ONCE = 50;

export type ApiChange = Readonly<{ type: string; text: string; breaking: boolean }>;
export type ApiVersion = Readonly<{
  version: string;
  title: string;
  status: string;
  publishedAt: string | null;
  description: string | null;
  links?: Readonly<{ compare: string }>;
  yanked: boolean;
  changes: readonly ApiChange[];
}>;
type ApiFeed = Readonly<{
  etags: readonly (string | undefined)[];
  bodies: readonly string[];
  versions: readonly ApiVersion[];
}>;

export class ImportSandbox {
  readonly #sandbox: Sandbox;
  readonly #app: TestApp;
  readonly #key: string;
  readonly #free: string[] = [];
  #made = 0;

  private constructor(sandbox: Sandbox, app: TestApp, key: string) {
    this.#sandbox = sandbox;
    this.#app = app;
    this.#key = key;
  }

  static async open(scope: Scope, folder = temporaryFolder(scope)): Promise<ImportSandbox> {
    const sandbox = { folder };
    await apply(sandbox, { team: { slug: TEAM, name: 'Acme', visibility: 'public', plan: 'paid' } });
    const { key } = await createKey(sandbox, TEAM, '--kind', 'FULL');
    const { app } = await startApp(scope, sandbox, { LOG_LEVEL: 'silent' });
    return new ImportSandbox(sandbox, app, key);
  }

  /** The slug of an empty product. */
  async product(): Promise<string> {
    if (this.#free.length === 0) {
      const slugs = Array.from({ length: PRODUCTS_AT_ONCE }, () => `product-${++this.#made}`);
      const products = slugs.map((slug) => ({
        slug,
        name: 'Rocket',
        status: 'published',
        changelog: { name: 'Rocket', status: 'published' },
      }));
      await apply(this.#sandbox, {
        team: { slug: TEAM, name: 'Acme', visibility: 'public', plan: 'paid' },
        products,
      });
      this.#free.push(...slugs);
    }
    return this.#free.pop() as string;
  }

  async import(product: string, text: string, ...flags: string[]): Promise<CommandResult> {
    return await run(this.#sandbox, ['import', `${TEAM}/${product}`, '-', '--json', ...flags], text);
  }

  async importFile(product: string, file: string, ...flags: string[]): Promise<CommandResult> {
    return await run(this.#sandbox, ['import', `${TEAM}/${product}`, file, '--json', ...flags]);
  }

  async exportMarkdown(product: string): Promise<string> {
    return await runOk(this.#sandbox, ['export', `${TEAM}/${product}`, '--format', 'markdown']);
  }

  /** Of the changelog, which the API does not have. */
  async description(product: string): Promise<string | null> {
    const text = await runOk(this.#sandbox, ['export', `${TEAM}/${product}`, '--format', 'json']);
    return JSON.parse(text).products[0].changelog.description ?? null;
  }

  /** Everything that the team sees of the product, page by page. */
  async read(product: string): Promise<ApiFeed> {
    const pages: ApiFeed[] = [];
    let url: string | undefined = `/api/v1/teams/${TEAM}/products/${product}/changelog?include=changes`;
    while (url !== undefined) {
      const { statusCode, body, headers } = await this.#app.inject({
        url,
        headers: { authorization: `Bearer ${this.#key}` },
      });
      assert.equal(statusCode, 200, body);
      const versions = JSON.parse(body).data.versions.map(withoutIds);
      pages.push({ etags: [headers.etag?.toString()], bodies: [body], versions });
      url = NEXT_PAGE.exec(headers.link?.toString() ?? '')?.[1];
    }
    return {
      etags: pages.flatMap(({ etags }) => etags),
      bodies: pages.flatMap(({ bodies }) => bodies),
      versions: pages.flatMap(({ versions }) => versions),
    };
  }
}

const NEXT_PAGE = /<[^>]*?(\/api\/[^>]*)>; rel="next"/;

function withoutIds({
  version,
  title,
  status,
  publishedAt,
  description,
  links,
  yanked,
  changes,
}: ApiVersion): ApiVersion {
  return {
    ...{ version, title, status, publishedAt, description, yanked },
    ...(links && { links }),
    changes: changes.map(({ type, text, breaking }) => ({ type, text, breaking })),
  };
}

/** Imports again, then imports the export into another product: nothing may change. */
export async function assertUnchangedByReimport(
  sandbox: ImportSandbox,
  product: string,
  imported: () => Promise<CommandResult>,
): Promise<void> {
  const first = await sandbox.read(product);
  const again = await imported();
  assert.equal(again.code, 0, again.stderr);
  const { created, changed, deleted } = JSON.parse(again.stdout);
  assert.equal(created + changed + deleted, 0, 'the second import writes something');
  const second = await sandbox.read(product);
  assert.deepEqual(second.bodies, first.bodies, 'the second import changes the response');
  assert.deepEqual(second.etags, first.etags, 'the second import changes the ETag');
  const other = await sandbox.product();
  const markdown = await sandbox.exportMarkdown(product);
  const { code, stderr } = await sandbox.import(other, markdown);
  assert.equal(code, 0, stderr);
  assert.deepEqual(
    (await sandbox.read(other)).versions,
    first.versions,
    'importing the export gives a different changelog',
  );
  assert.equal(await sandbox.description(other), await sandbox.description(product));
}
