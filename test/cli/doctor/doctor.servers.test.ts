import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startRedis } from '../../../cluster/redis.ts';
import { provideMigrated } from '../../../support/databases/engine.ts';
import { doctor } from '../../../support/program/command.ts';
import { sandboxOf } from '../helpers.ts';

describe('doctor and Redis', () => {
  it('doctor tells a working Redis from one that is down or rejects the password, which it does not print', async (t) => {
    const redis = await startRedis(t, { password: 'open sesame' });
    const sandbox = sandboxOf(t);
    await provideMigrated(sandbox);
    const lineFor = async (url: string) => {
      const { stdout, stderr } = await doctor({ ...sandbox, environment: { REDIS_URL: url } });
      assert.doesNotMatch(stdout + stderr, /sesame|hunter2/);
      return stdout.split('\n').find((line) => line.includes('redis'));
    };
    const wrongPassword = redis.url.replace('open%20sesame', 'hunter2');
    assert.match((await lineFor(redis.url)) ?? '', /^ok {5}redis +127\.0\.0\.1:\d+ responds/);
    assert.match((await lineFor(wrongPassword)) ?? '', /^wrong {2}redis .*WRONGPASS.*correct REDIS_URL/);
    redis.hang();
    assert.match((await lineFor(redis.url)) ?? '', /^wrong {2}redis .*no response within 1000 ms/);
    await redis.kill();
    assert.match((await lineFor(redis.url)) ?? '', /^wrong {2}redis .*ECONNREFUSED.*Start it/);
  });
});
