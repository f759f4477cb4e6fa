import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, readFileSync, readSync } from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
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
  sink.flush();

  const read = () => {
    const room = Buffer.alloc(1_000_000);
    return room.toString('utf8', 0, readSync(reader, room));
  };
  const before = read();
  sink.write('the next\n');
  sink.flush();
  const lines = (before + read()).split('\n').slice(0, -1);
  const kept = lines.filter((text) => text.length === 999).length;
  assert.ok(kept > 0 && kept < 200);
  assert.equal(lines.length, kept + 2, 'none is torn, not even the one that only half found room');
  assert.deepEqual(JSON.parse(lines.at(-2) ?? '').lines, 200 - kept);
  assert.equal(lines.at(-1), 'the next');
});

it('lines of one turn of the event loop are written together, in their order, at its end', async (t) => {
  const file = path.join(temporaryFolder(t), 'log');
  const fd = openSync(file, 'w');
  t.after(() => closeSync(fd));
  const sink = openLogSink(fd);
  for (let count = 0; count < 3; count++) sink.write(`${count}\n`);
  assert.equal(readFileSync(file, 'utf8'), '');
  await setImmediate();
  assert.equal(readFileSync(file, 'utf8'), '0\n1\n2\n');
});
