import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, readFileSync, readSync } from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import { openLogSink } from '../../../src/http/telemetry/log-sink.ts';
import { temporaryFolder } from '../../../support/processes/scope.ts';
import { becomes } from '../../support/becomes.ts';

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
  const before = read();
  sink.write('the next\n');
  const lines = (before + read()).split('\n').slice(0, -1);
  const kept = lines.filter((text) => text === line.trim());
  assert.ok(kept.length > 0 && kept.length < 200);
  assert.equal(lines.at(-1), 'the next');
  const notes = lines.slice(0, -1).filter((text) => !kept.includes(text));
  // None is torn: whatever else is there can be read, and says how many are not.
  const dropped = notes.map((note) => JSON.parse(note).lines);
  assert.equal(
    dropped.reduce((sum, some) => sum + some, kept.length),
    200,
  );
});

it('lines that need not be seen at once are written together, in their order, before the next that is', (t) => {
  const file = path.join(temporaryFolder(t), 'log');
  const fd = openSync(file, 'w');
  t.after(() => closeSync(fd));
  const sink = openLogSink(fd);
  for (let count = 0; count < 3; count++) sink.gather(`${count}\n`);
  assert.equal(readFileSync(file, 'utf8'), '');
  sink.write('now\n');
  assert.equal(readFileSync(file, 'utf8'), '0\n1\n2\nnow\n');
  const long = `${'x'.repeat(999)}\n`;
  for (let count = 0; count < 17; count++) sink.gather(long);
  assert.ok(readFileSync(file, 'utf8').length > 16_000, 'or when they are many');
});

it('lines that nothing follows are written all the same', async (t) => {
  const file = path.join(temporaryFolder(t), 'log');
  const fd = openSync(file, 'w');
  t.after(() => closeSync(fd));
  openLogSink(fd).gather('the last\n');
  await becomes(async () => readFileSync(file, 'utf8'), 'the last\n', 5_000);
});
