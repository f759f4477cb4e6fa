import { randomInt } from 'node:crypto';
import { before, describe, it } from 'node:test';
import { STYLES, type Style, tryMany } from '../../proofs/imports/campaign.ts';
import { ImportSandbox } from '../../proofs/imports/sandbox.ts';
import { sharedScope } from '../../support/processes/scope.ts';

const COUNT = 6;

describe('an import of generated changelogs', () => {
  const scope = sharedScope();
  let sandbox: ImportSandbox;
  before(async () => {
    sandbox = await ImportSandbox.open(scope);
  });

  for (const style of Object.keys(STYLES) as Style[]) {
    it(`an import in the style of ${style} reproduces the changelog`, async (t) => {
      const seed = randomInt(2 ** 30);
      t.diagnostic(`seed ${seed}: npm run prove imports ${COUNT} ${seed} ${style} repeats this run`);
      await tryMany(sandbox, style, COUNT, seed);
    });
  }
});
