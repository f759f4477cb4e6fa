// No two products have the same domain (R60), and domains move between the products of a document.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { dump, query } from '../../../support/databases/engine.ts';
import { sharedScope } from '../../../support/processes/scope.ts';
import { apply, run, runOk } from '../../../support/program/command.ts';
import { expectFailure, sandboxOf } from '../helpers.ts';

type Domains = Readonly<Record<string, string | null>>;

function documentOf(team: string, domains: Domains, status = 'published') {
  const products = Object.entries(domains).map(([slug, domain]) => ({
    slug,
    name: slug,
    status,
    ...(domain !== null && { domain }),
  }));
  return { team: { slug: team, name: team }, products };
}

const START = { rocket: 'rocket.example', glider: 'glider.example', kite: null };

describe('the domains of products', () => {
  const sandbox = sandboxOf(sharedScope());
  before(() => apply(sandbox, documentOf('other', { crate: 'crate.example' })));

  const domains = async () =>
    Object.fromEntries(
      (
        await query<{ slug: string; domain: string }>(
          sandbox,
          `select p.slug, domain from products p join teams t on t.id = team_id where t.slug = 'acme'`,
        )
      ).map(({ slug, domain }) => [slug, domain]),
    );
  const restart = () => apply(sandbox, documentOf('acme', START), '--prune', '--yes');
  const refusal = async (wanted: Domains) => {
    const before = await dump(sandbox);
    const said = await expectFailure(sandbox, ['apply', '-'], JSON.stringify(documentOf('acme', wanted)));
    assert.deepEqual(await dump(sandbox), before);
    return said;
  };

  it('apply gives a domain to another product of the document', async () => {
    for (const [rocket, glider, kite] of [
      ['glider.example', 'rocket.example', null],
      ['new.example', null, 'rocket.example'],
      ['glider.example', 'kite.example', 'rocket.example'],
      [null, 'rocket.example', 'glider.example'],
    ] as const) {
      await restart();
      await apply(sandbox, documentOf('acme', { rocket, glider, kite }));
      assert.deepEqual(await domains(), { rocket, glider, kite });
    }
    assert.match(await apply(sandbox, documentOf('acme', await domains())), /^Nothing to do/);
  });

  it('apply gives the domain of a deleted product to another, and to a new one', async () => {
    await restart();
    await apply(
      sandbox,
      documentOf('acme', { rocket: 'glider.example', fresh: 'rocket.example' }),
      '--prune',
      '--yes',
    );
    assert.deepEqual(await domains(), { rocket: 'glider.example', fresh: 'rocket.example' });
  });

  it('apply rejects the domain of a product that the document does not name, and says which has it', async () => {
    await restart();
    assert.equal(
      await refusal({ kite: 'new.example', rocket: 'Glider.example' }),
      'changelog: standard input:1: products[1].domain: the domain glider.example belongs to the product acme/glider; remove it there first: changelog product set acme/glider --domain ""\n',
    );
  });

  it('a domain of another team is rejected without the name of its product', async () => {
    await restart();
    const taken = 'the domain crate.example belongs to a product of another team; choose another.';
    for (const slug of ['rocket', 'fresh'])
      assert.equal(
        await refusal({ [slug]: 'crate.example' }),
        `changelog: standard input:1: products[0].domain: ${taken}\n`,
      );
    const set = ['product', 'set', 'acme/rocket', '--name', 'R', '--domain', 'crate.example'];
    assert.equal(await expectFailure(sandbox, set), `changelog: ${taken}\n`);
    assert.deepEqual(await domains(), START);
  });

  it('product set rejects the domain of another product, and keeps its own', async () => {
    await restart();
    const set = (domain: string) => ['product', 'set', 'acme/rocket', '--domain', domain];
    assert.match(
      await expectFailure(sandbox, set('GLIDER.example.')),
      /the domain glider\.example belongs to the product acme\/glider; remove it there first: changelog product set acme\/glider --domain ""\n$/,
    );
    await runOk(sandbox, set('rocket.example'));
    await runOk(sandbox, ['product', 'set', 'acme/glider', '--domain', '']);
    await runOk(sandbox, set('glider.example'));
    assert.deepEqual(await domains(), { ...START, rocket: 'glider.example', glider: null });
  });

  it('a locked product keeps its domain', async () => {
    await restart();
    await runOk(sandbox, ['product', 'set', 'acme/glider', '--status', 'locked']);
    assert.match(await refusal({ rocket: 'glider.example', glider: null }), /acme\/glider is locked/);
    const { stderr } = await run(sandbox, ['product', 'set', 'acme/glider', '--domain', 'new.example']);
    assert.match(stderr, /acme\/glider is locked/);
    await runOk(sandbox, ['product', 'set', 'acme/glider', '--status', 'published']);
    assert.deepEqual(await domains(), START);
  });
});
