import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ensureServers, type Machine, type ServerName } from '../../cluster/debian.ts';

const BROWSERS = ['chromium', 'firefox', 'webkit', 'xvfb'] as const;

/** A machine with some servers, where installing works unless `broken`. */
function machine(options: { has: ServerName[]; mayInstall: boolean; broken?: boolean }) {
  const installed: string[] = [];
  const events: string[] = [];
  const found = new Set<ServerName>(options.has);
  const imagined: Machine = {
    find: (name) => (found.has(name) ? `/usr/bin/${name}` : null),
    mayInstall: () => options.mayInstall,
    install: async (packages) => {
      installed.push(...packages);
      events.push('install');
      if (!options.broken)
        for (const name of [...BROWSERS, 'postgres', 'redis', 'nginx'] as const) found.add(name);
    },
    say: (text) => void events.push(text),
  };
  return { imagined, installed, events };
}

describe('a server that is needed', () => {
  it('a server that exists is not installed', async () => {
    const { imagined, installed } = machine({ has: ['postgres', 'redis'], mayInstall: true });
    await ensureServers(['postgres', 'redis'], imagined);
    assert.deepEqual(installed, []);
  });

  it('a missing server is installed, and nothing else', async () => {
    const { imagined, installed } = machine({ has: ['redis'], mayInstall: true });
    await ensureServers(['postgres', 'redis'], imagined);
    assert.deepEqual(installed, ['postgresql']);
  });

  it('an installation is announced before it begins, by the names of its packages', async () => {
    const { imagined, events } = machine({ has: ['nginx'], mayInstall: true });
    await ensureServers(['postgres', 'redis', 'nginx'], imagined);
    assert.deepEqual(events.slice(0, 2), ['installing postgresql, redis-server with apt-get …', 'install']);
    assert.match(events.slice(2).join(), /^installing postgresql, redis-server with apt-get: done in \d+ s$/);
  });

  it('missing browsers are installed too', async () => {
    const { imagined, installed } = machine({ has: ['nginx'], mayInstall: true });
    await ensureServers(['nginx', ...BROWSERS], imagined);
    assert.deepEqual(installed, ['chromium-headless-shell', 'firefox-esr', 'webkit2gtk-driver', 'xvfb']);
  });

  it('a missing server that cannot be installed is an error with the command to install it', async () => {
    const { imagined, installed } = machine({ has: [], mayInstall: false });
    await assert.rejects(
      ensureServers(['redis', 'nginx'], imagined),
      /^Error: redis and nginx not found on this machine\. Install with: sudo apt-get install redis-server nginx$/,
    );
    assert.deepEqual(installed, []);
  });

  it('a server that is still missing after the installation is an error', async () => {
    const { imagined } = machine({ has: [], mayInstall: true, broken: true });
    await assert.rejects(
      ensureServers(['postgres'], imagined),
      /still not found after installation: postgres/,
    );
  });
});
