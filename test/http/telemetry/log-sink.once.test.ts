import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, readFileSync, readSync } from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import { openLogSink } from '../../../src/http/telemetry/log.ts';
import { temporaryFolder } from '../../../support/processes/scope.ts';
import { becomes } from '../../support/becomes.ts';

it('a full pipe drops log lines instead of blocking, and their number is logged once there is space', (t) => {
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
    const buffer = Buffer.alloc(1_000_000);
    return buffer.toString('utf8', 0, readSync(reader, buffer));
  };
  const before = read();
  sink.write('the next\n');
  const lines = (before + read()).split('\n').slice(0, -1);
  const written = lines.filter((text) => text === line.trim());
  assert.ok(written.length > 0 && written.length < 200);
  assert.equal(lines.at(-1), 'the next');
  const reports = lines.slice(0, -1).filter((text) => !written.includes(text));
  // No line is torn: every other line is a valid report of dropped lines.
  const dropped = reports.map((report) => JSON.parse(report).lines);
  assert.equal(
    dropped.reduce((sum, some) => sum + some, written.length),
    200,
  );
  assert.equal(sink.linesDropped(), 200 - written.length);
});

it('a pipe whose reader has gone neither throws nor blocks', (t) => {
  const pipe = path.join(temporaryFolder(t), 'log');
  execFileSync('mkfifo', [pipe]);
  const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
  t.after(() => closeSync(writer));
  const sink = openLogSink(writer);
  closeSync(reader);
  sink.write('one\n');
  sink.queue('two\n');
  sink.write('three\n');
});

it('queued log lines are written together, in order, before the next immediate line', (t) => {
  const file = path.join(temporaryFolder(t), 'log');
  const fd = openSync(file, 'w');
  t.after(() => closeSync(fd));
  const sink = openLogSink(fd);
  for (let count = 0; count < 3; count++) sink.queue(`${count}\n`);
  assert.equal(readFileSync(file, 'utf8'), '');
  sink.write('now\n');
  assert.equal(readFileSync(file, 'utf8'), '0\n1\n2\nnow\n');
  const long = `${'x'.repeat(999)}\n`;
  for (let count = 0; count < 17; count++) sink.queue(long);
  assert.ok(readFileSync(file, 'utf8').length > 16_000, 'many lines are written without waiting');
});

it('queued log lines are written even if no other line follows', async (t) => {
  const file = path.join(temporaryFolder(t), 'log');
  const fd = openSync(file, 'w');
  t.after(() => closeSync(fd));
  openLogSink(fd).queue('the last\n');
  await becomes(async () => readFileSync(file, 'utf8'), 'the last\n', 5_000);
});
