import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, readSync } from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import { openLogSink } from '../../src/http/log-sink.ts';
import { temporaryFolder } from '../support/folder.ts';

it('a full pipe drops lines instead of waiting, and says how many once there is room', (t) => {
  const pipe = path.join(temporaryFolder(t), 'log');
  execFileSync('mkfifo', [pipe]);
  const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
  t.after(() => {
    closeSync(reader);
    closeSync(writer);
  });
  const sink = openLogSink(writer);
  const line = `${'x'.repeat(999)}\n`;
  for (let count = 0; count < 200; count++) sink.write(line);

  const read = () => {
    const room = Buffer.alloc(1_000_000);
    return room.toString('utf8', 0, readSync(reader, room));
  };
  const kept = read().split('\n').length - 1;
  assert.ok(kept > 0 && kept < 200);
  sink.write('the next\n');
  const [note, next] = read().split('\n');
  assert.deepEqual(JSON.parse(note ?? '').lines, 200 - kept);
  assert.equal(next, 'the next');
});
