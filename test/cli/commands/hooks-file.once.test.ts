import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { temporaryFolder } from '../../../support/processes/scope.ts';
import { run } from '../../../support/program/command.ts';

describe('HOOKS', () => {
  for (const command of ['serve', 'publish-due'])
    it(`${command} refuses a hooks file with mistakes, and opens no database`, async (t) => {
      const folder = temporaryFolder(t);
      writeFileSync(path.join(folder, '.env'), 'CHAT=hunter2\n');
      const refusal = async (text: string) => {
        writeFileSync(path.join(folder, 'hooks.yaml'), text);
        const { code, stdout, stderr } = await run({ folder, environment: { HOOKS: 'hooks.yaml' } }, [
          command,
        ]);
        assert.deepEqual([code, stdout], [1, '']);
        assert.equal(existsSync(path.join(folder, 'data')), false);
        return stderr;
      };
      const chat = (url: string) => `hooks:\n  - name: chat\n    kind: slack\n    url: ${url}\n`;
      assert.equal(
        await refusal(`${chat(`\${CHAT}`)}    onyl: {}\n`),
        'changelog: hooks.yaml:5: hooks[0].onyl: unknown field "onyl"; did you mean "only"?\n' +
          'hooks.yaml:4: hooks[0].url: must be an http:// or https:// URL.\n',
      );
      assert.equal(
        await refusal(chat(`\${CHAT_URL}`)),
        'changelog: hooks.yaml:4: hooks[0].url: the variable CHAT_URL is not set; set it in the environment or in .env.\n',
      );
    });

  it('a message about a file that does not exist names the setting', async (t) => {
    const environment = { CHANGELOG_HOOKS: 'nowhere.yaml' };
    const { stderr } = await run({ folder: temporaryFolder(t), environment }, ['serve']);
    assert.equal(stderr, 'changelog: HOOKS is "nowhere.yaml", which does not exist; correct the path.\n');
  });
});
