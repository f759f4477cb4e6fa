import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dissectHeading } from '../../../../src/import/markdown/versions/parts.ts';
import { partsOf } from './headings.ts';

function summaryOf(text: string) {
  const { start, before, behind } = partsOf(text);
  return { before, label: start.label, behind };
}

describe('the parts of a heading', () => {
  it('a label is found alone, in brackets, in a link and with a date', () => {
    for (const text of [
      '1.2.0',
      'v1.2.0',
      '[1.2.0] - 2026-05-04',
      '[1.2.0](https://example.com)',
      '**Version 1.2.0**',
    ])
      assert.match(summaryOf(text).label, /^v?1\.2\.0$/, text);
    assert.deepEqual(partsOf('[1.2.0](https://example.com/a)').start.link, { url: 'https://example.com/a' });
    assert.deepEqual(partsOf('[1.2.0][last]').start.link, { reference: 'last' });
  });

  it('words before and behind the label are apart from it', () => {
    assert.deepEqual(summaryOf('Rocket 1.2.0'), { before: 'Rocket', label: '1.2.0', behind: '' });
    assert.deepEqual(summaryOf('Rocket (1.2.0)'), { before: 'Rocket', label: '1.2.0', behind: '' });
    assert.deepEqual(summaryOf('[Rocket 1.2.0]'), { before: 'Rocket', label: '1.2.0', behind: '' });
    assert.deepEqual(summaryOf('1.2.0 Enterprise - 2026-05-04'), {
      before: '',
      label: '1.2.0',
      behind: 'Enterprise',
    });
  });

  it('a date before the label moves behind it', () => {
    const { start, otherwise } = partsOf('2026-05-04 - Version 1.2.0');
    assert.deepEqual([start.label, start.tail], ['1.2.0', ' (2026-05-04)']);
    assert.equal(otherwise?.label, '2026-05-04');
  });

  it('a label with a mark is unreleased', () => {
    for (const text of ['Rocket (unreleased)', '2.x (next)', '[Unreleased]', 'Upcoming 2.0.0'])
      assert.equal(partsOf(text).start.isUnreleased, true, text);
    assert.equal(partsOf('2.0.0').start.isUnreleased, undefined);
  });

  it('sections and very long headings have no parts', () => {
    for (const text of ['Features', 'Next steps', `1.2.0 ${'x'.repeat(500)}`])
      assert.equal(dissectHeading(text), null);
  });
});
