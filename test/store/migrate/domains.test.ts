// The column `domain` of products, written with plain SQL (R60).
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { ACME } from '../../../support/content/world.ts';
import { ENGINE, execute, query } from '../../../support/databases/engine.ts';
import { sharedScope, temporaryFolder } from '../../../support/processes/scope.ts';
import { apply, type Sandbox } from '../../../support/program/command.ts';

const NAME = `${'a'.repeat(60)}.`.repeat(4);

describe('the domain of a product', () => {
  const sandbox: Sandbox = { folder: temporaryFolder(sharedScope()) };
  before(() => apply(sandbox, ACME));
  const write = (domain: string, slug = 'rocket', how = '') =>
    execute(sandbox, `update ${how} products set domain = '${domain}' where slug = '${slug}'`);

  it('the schema accepts host names in lower case and ASCII', async () => {
    for (const domain of [
      'a.b',
      'changes.example.com',
      'xn--bcher-kva.example',
      '1.2.3.4a',
      `${NAME}example`,
    ])
      assert.equal(await write(domain), 1, domain);
  });

  it('the schema refuses every other text', async () => {
    for (const domain of [
      '',
      'localhost',
      'A.example',
      'bücher.example',
      'a_b.example',
      'a b.example',
      '*.example',
      'a.example:80',
      'https://a.example',
      'a.example/',
      'a.example.',
      '.a.example',
      'a..example',
      '-a.example',
      'a-.example',
      'a.example-',
      '127.0.0.1',
      '1.2',
      `${NAME}example.com`,
    ])
      await assert.rejects(write(domain), /check|constraint/i, domain);
  });

  it('two products cannot have the same, and no write replaces the one that has it', async () => {
    await write('one.example.com');
    const count = async () => (await query(sandbox, 'select id from products')).length;
    const before = await count();
    for (const how of ENGINE === 'sqlite' ? ['', 'or fail'] : ['']) {
      await assert.rejects(write('one.example.com', 'bare', how), /unique/i, how);
      await write('one.example.com', 'rocket', how);
    }
    if (ENGINE === 'sqlite') {
      const insert = (slug: string) =>
        execute(
          sandbox,
          `insert or replace into products (team_id, slug, name, status, domain)
             select team_id, '${slug}', 'X', 'draft', domain from products where slug = 'rocket'`,
        );
      await assert.rejects(insert('other'), /unique/i);
      assert.equal(await insert('rocket'), 1);
    }
    assert.equal(await count(), before);
  });
});
