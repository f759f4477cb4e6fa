// Scheduling versions with commands (R50): what they print and refuse.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { run, runOk } from '../../../../support/program/command.ts';
import { expectFailure, expectMisuse, runJson } from '../../helpers.ts';
import { publish, sandboxOfDrafts } from '../drafts.ts';

const FUTURE = '2999-12-01T08:00:00.000Z';

describe('scheduling versions', () => {
  const { sandbox, reset } = sandboxOfDrafts();

  it('version publish --at schedules a draft, and schedule list shows it', async () => {
    await reset();
    const { code, stdout, stderr } = await run(sandbox, publish('3.0.0', '--at', '2999-12-01T09:00+01:00'));
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, /^status +draft\npublished +-\n[\s\S]*^scheduled +2999-12-01T08:00:00\.000Z\n/m);
    type Shown = { status: string; publishedAt: null; publishAt?: string };
    const shown = await runJson<Shown>(sandbox, publish('ver_2', '--at', '2999-11-01T08:00Z'));
    assert.deepEqual(
      [shown.status, shown.publishedAt, shown.publishAt],
      ['draft', null, '2999-11-01T08:00:00.000Z'],
    );
    const off = { ...sandbox, environment: { SCHEDULER: 'off' } };
    assert.equal(
      (await run(off, publish('2.0.0', '--at', '2999-11-01T08:00Z'))).stderr,
      'SCHEDULER is off: run `changelog publish-due` when it is due, or every minute.\n',
    );
    assert.deepEqual(await runJson(sandbox, ['version', 'schedule', 'list', 'acme/rocket']), [
      {
        id: 'ver_2',
        version: '2.0.0',
        title: 'Two',
        publishAt: '2999-11-01T08:00:00.000Z',
        overdue: false,
        reason: null,
      },
      { id: 'ver_3', version: '3.0.0', title: 'Three', publishAt: FUTURE, overdue: false, reason: null },
    ]);
    assert.match(
      await runOk(sandbox, ['version', 'schedule', 'list', 'acme/rocket']),
      /^VERSION +TITLE +SCHEDULED +OVERDUE +ID\n2\.0\.0 +Two +2999-11-01T08:00:00\.000Z +- +ver_2\n3/,
    );
    assert.match(await runOk(sandbox, ['version', 'unschedule', 'acme/rocket', '2.0.0']), /^status +draft$/m);
    await runOk(sandbox, publish('3.0.0'));
    assert.equal(
      await runOk(sandbox, ['version', 'schedule', 'list', 'acme/rocket']),
      'There are no scheduled versions.\n',
    );
  });

  it('a time needs a time zone, and only drafts are scheduled', async () => {
    await reset();
    for (const time of ['2999-12-01T09:00', '2999-12-01', 'tomorrow', ''])
      assert.match(
        await expectMisuse(sandbox, publish('3.0.0', '--at', time)),
        /is invalid\. It must be ISO 8601 with a time zone, such as 2026-12-01T09:00\+01:00 or 2026-12-01T08:00Z\.$/m,
      );
    assert.match(
      await expectFailure(sandbox, publish('1.0.0', '--at', FUTURE)),
      /the version 1\.0\.0 of acme\/rocket is already published, .* first with `changelog version unpublish`\.$/m,
    );
    assert.match(
      await expectFailure(sandbox, ['version', 'unschedule', 'acme/rocket', '1.0.0']),
      /is already published, and only drafts have a schedule/,
    );
    assert.match(await expectFailure(sandbox, publish('3.0', '--at', FUTURE)), /did you mean 3\.0\.0\?/);
    assert.match(
      await expectFailure(sandbox, ['version', 'schedule', 'list', 'acme/x']),
      /no product acme\/x/,
    );
  });
});
