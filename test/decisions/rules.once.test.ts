import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ApiKey, decideAccess } from '../../src/domain/access/access.ts';
import { formatApiKey } from '../../src/domain/access/api-key.ts';
import { parseBearer } from '../../src/domain/access/credential.ts';
import { visibleRows } from '../../src/domain/access/visibility.ts';
import { allCells, type Cell, describeCell, expected, expectedOfGitea } from './table.ts';

const ASKED = { team: 'asked', product: 'product' };
const TOKEN = formatApiKey((below) => below - 1);

describe('the rules, by enumeration', () => {
  const cells = allCells();

  it('the table covers at least 1,000 combinations', () =>
    assert.ok(cells.length >= 1_000, `${cells.length} cells`));

  it('the rules decide every combination as specified', () => {
    for (const cell of cells) {
      assert.deepEqual(decide(cell), expected(cell), describeCell(cell));
    }
  });

  it('the rules decide every combination as specified for clients of Gitea', () => {
    for (const cell of cells)
      assert.deepEqual(decideForGitea(cell), expectedOfGitea(cell), describeCell(cell));
  });
});

/** A key is optional, and drafts are never shown. */
function decideForGitea(cell: Cell) {
  const refused = cell.credential === 'none' ? undefined : refusal(cell);
  const asAnyone = cell.credential === 'none' || refused === 403;
  const asked = { ...cell, surface: asAnyone ? 'public' : 'team' } as const;
  const isDraft = cell.route === 'version' && cell.version === 'draft';
  const status = refused === 401 ? 401 : isDraft ? 404 : found(asked);
  return {
    status,
    listsVersion: status === 200 && cell.route === 'changelog' && cell.version === 'published',
    asAnyone,
  };
}

/** The steps of a request, on values instead of rows. */
function decide(cell: Cell) {
  const status = cell.surface === 'team' ? (refusal(cell) ?? found(cell)) : found(cell);
  return { status, listsVersion: status === 200 && cell.route === 'changelog' && sees(cell, 'version') };
}

function refusal({ credential, product }: Cell): 401 | 403 | undefined {
  const presented = parseBearer(authorization(credential));
  const key = presented.kind === 'token' ? keyOf(credential, product) : undefined;
  const access = decideAccess(key, ASKED);
  return access === 'unauthorized' ? 401 : access === 'forbidden' ? 403 : undefined;
}

function found(cell: Cell): 200 | 404 {
  const needed = ['team', 'product', 'changelog', ...(cell.route === 'version' ? ['version'] : [])] as const;
  return needed.every((thing) => sees(cell, thing as keyof ReturnType<typeof visibleRows>)) ? 200 : 404;
}

function sees(cell: Cell, thing: keyof ReturnType<typeof visibleRows>): boolean {
  const state = cell[thing];
  const wanted = visibleRows(cell.surface)[thing];
  return state !== 'nonexistent' && (wanted === undefined || wanted === state);
}

function authorization(credential: Cell['credential']): string[] {
  if (credential === 'none') return [];
  return [credential === 'malformed' ? `Bearer ${TOKEN}x` : `Bearer ${TOKEN}`];
}

function keyOf(credential: Cell['credential'], product: Cell['product']): ApiKey | undefined {
  const key = { id: 'key_1', team: ASKED.team, status: 'active' } as const;
  switch (credential) {
    case 'full':
      return { ...key, kind: 'FULL' };
    case 'disabled full':
      return { ...key, kind: 'FULL', status: 'disabled' };
    case 'disabled select':
      return { ...key, kind: 'SELECT', products: [ASKED.product], status: 'disabled' };
    case 'select, attached':
      return { ...key, kind: 'SELECT', products: product === 'nonexistent' ? ['other'] : [ASKED.product] };
    case 'select, not attached':
      return { ...key, kind: 'SELECT', products: ['other'] };
    case 'full of another team':
      return { ...key, kind: 'FULL', team: 'another' };
    case 'select of another team, same product slug':
      return { ...key, kind: 'SELECT', team: 'another', products: [ASKED.product] };
    default:
      return undefined;
  }
}
