import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ArgumentsSchema, placeOf, readArguments, withPlace } from '../../src/mcp/arguments.ts';
import { TOOLS } from '../../src/mcp/tools.ts';

const PRODUCT = { team: 'acme', product: 'rocket' };
const TEAM = { team: 'acme', product: null };
const read = (schema: ArgumentsSchema, value: unknown) => {
  const { data, errorMessage } = readArguments(schema, value);
  return data ?? errorMessage;
};
const argumentsOf = (name: string) => TOOLS.find((tool) => tool.name === name)?.arguments ?? {};
const RANGE_ARGUMENTS = argumentsOf('changes_between');
const versions = withPlace(argumentsOf('list_versions'), 'either', null);
const range = withPlace(RANGE_ARGUMENTS, 'product', null);

describe('the arguments of a tool', () => {
  it('need no product if the command has one', () => {
    const schema = withPlace(RANGE_ARGUMENTS, 'product', PRODUCT);
    assert.deepEqual(read(schema, { from: '1' }), { from: '1' });
    assert.match(String(schema.properties.team?.description), /Default: acme$/);
    assert.match(String(read(range, { from: '1' })), /^team is missing; .* product is missing;/);
  });

  it('need a product only where a team is not enough', () => {
    const ofTeam = withPlace(RANGE_ARGUMENTS, 'product', TEAM);
    assert.equal(read(ofTeam, { from: '1' }), 'product is missing; it is required.');
    assert.deepEqual(read(versions, { team: 'acme' }), { team: 'acme' });
    assert.match(String(versions.properties.product?.description), /Default: all products of the team$/);
    const products = withPlace(argumentsOf('list_products'), 'team', PRODUCT);
    assert.deepEqual(read(products, {}), {});
    assert.match(String(read(products, PRODUCT)), /^product is not an argument of this tool;/);
  });

  it('mean all products of a team if they name only a team, where a tool can do that', () => {
    const other = { team: 'other' };
    assert.deepEqual(placeOf('either', PRODUCT, {}), PRODUCT);
    assert.deepEqual(placeOf('either', PRODUCT, { team: 'acme' }), TEAM);
    assert.deepEqual(placeOf('either', PRODUCT, { product: 'fuel' }), { team: 'acme', product: 'fuel' });
    assert.deepEqual(placeOf('either', TEAM, {}), TEAM);
    assert.deepEqual(placeOf('either', null, PRODUCT), PRODUCT);
    assert.deepEqual(placeOf('team', PRODUCT, {}), TEAM);
    assert.deepEqual(placeOf('team', PRODUCT, other), { team: 'other', product: null });
    assert.deepEqual(placeOf('product', PRODUCT, { team: 'acme' }), PRODUCT);
  });

  it('may be null, which some models send for what they leave out', () => {
    assert.deepEqual(read(versions, { ...PRODUCT, limit: null, q: null }), PRODUCT);
    assert.match(String(read(versions, { ...PRODUCT, team: null })), /^team is missing/);
  });

  for (const [name, value, message] of [
    ['limit', 0, 'limit must be a whole number from 1 to 100.'],
    ['limit', '20', 'limit must be a whole number from 1 to 100.'],
    ['limit', 1.5, 'limit must be a whole number from 1 to 100.'],
    ['prerelease', 'no', 'prerelease must be true or false.'],
    ['q', '', 'q must be text with 1 to 500 characters.'],
    ['q', 'x'.repeat(501), 'q must be text with 1 to 500 characters.'],
    ['cursor', 'a b', 'cursor must be the text at the end of the previous result.'],
    ['team', 'Acme Inc', 'team must be a slug: lowercase letters, digits and hyphens, such as acme.'],
    ['product', '../x', 'product must be a slug: lowercase letters, digits and hyphens, such as acme.'],
    ['Limit', 5, 'Limit is not an argument of this tool; did you mean limit?'],
    ['', 5, /^ is not an argument of this tool; /],
    [
      'constructor',
      5,
      /^constructor is not an argument of this tool; the arguments are team, product, limit,/,
    ],
  ] as const)
    it(`${name} = ${JSON.stringify(value).slice(0, 20)} is refused with what to do`, () => {
      const problem = String(read(versions, { ...PRODUCT, [name]: value }));
      if (typeof message === 'string') assert.equal(problem, message);
      else assert.match(problem, message);
    });

  it('that are not an object, or are wrong in many ways, are refused in a few words', () => {
    for (const value of [null, [], 'x', 5])
      assert.equal(read(versions, value), 'The arguments must be an object.');
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`a${index}`, index]));
    assert.ok(String(read(versions, many)).length < 1_000);
  });
});
