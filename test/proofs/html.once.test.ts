import { randomInt } from 'node:crypto';
import { describe, it } from 'node:test';
import { compareGenerated, compareWritten } from '../../proofs/html/campaign.ts';

const COUNT = 1_000;

describe('the HTML of a text', () => {
  it('generated texts have the HTML that a sanitiser would leave of it', (t) => {
    const seed = randomInt(2 ** 30);
    t.diagnostic(`seed ${seed}: npm run prove html ${COUNT} ${seed} repeats this run`);
    compareGenerated(COUNT, seed);
  });

  it('known XSS vectors and the documents of this repository do too', (t) => {
    t.diagnostic(`${compareWritten()} texts`);
  });
});
