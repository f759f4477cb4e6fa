import assert from 'node:assert/strict';
import { it } from 'node:test';
import { array, integer, object, text, textOrNull } from '../../src/domain/schema.ts';
import { recordWriter } from '../../src/present/write.ts';

const write = recordWriter(
  object({ data: object({ id: text(), note: textOrNull(), parts: array(object({ size: integer() })) }) }),
);

it('a record is written with the fields of its schema, in its order', () => {
  const data = { parts: [{ size: 1 }, { size: 2 }], note: null, id: 'a "quoted" é \u2028' };
  assert.equal(
    write({ data }),
    '{"data":{"id":"a \\"quoted\\" é \u2028","note":null,"parts":[{"size":1},{"size":2}]}}',
  );
});

it('what a schema does not name is not written, however it got into a record', () => {
  const data = { id: 'a', note: 'b', parts: [{ size: 1, secret: 'x' }], hidden: { secret: 'y' } };
  assert.equal(write({ data, secret: 'z' }), '{"data":{"id":"a","note":"b","parts":[{"size":1}]}}');
});
