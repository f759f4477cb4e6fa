// Follows docs/production/one-machine.md in a container that systemd boots.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { ensureServers } from '../../cluster/debian.ts';
import { runBooted } from './container.ts';
import { commandsOf, ROOT, readPage, replaceShown } from './page.ts';

const HOST = 'changelog.example.com';
/** Lines that need the internet. What they install is there. */
const NOT_RUN = /^(apt-get|git clone) .*$/gm;

/** After the page: what the documents promise about the units. */
const MORE = `
grep -E '^(NoNewPrivs|Seccomp|CapEff|CapBnd):' /proc/$(systemctl show -P MainPID changelog)/status
nsenter -t $(systemctl show -P MainPID changelog) -m touch /etc/x || echo cannot write
systemctl kill -s KILL changelog
until systemctl show -P NRestarts changelog | grep -qx 1; do :; done
curl -fs --retry 10 --retry-connrefused -o /dev/null -w '%{http_code}\\n' http://127.0.0.1:3000/robots.txt
systemctl is-enabled changelog changelog-backup.timer
---
echo DATABASE_URL=sqlite:/var/lib/changelog/none.db > /etc/changelog.env
systemctl start changelog-backup || systemctl --failed --plain
journalctl -u changelog-backup -n 5 --output=cat
ls /var/lib/changelog-backup
`;

describe('docs/production/one-machine.md', () => {
  before(() => ensureServers(['systemd-nspawn', 'caddy', 'curl']));

  it('the commands of the page, in order, end in a service with TLS, backups and a restore', async () => {
    const page = commandsOf(readPage('one-machine.md')).map((text) => text.replaceAll(NOT_RUN, 'true'));
    assert.equal(page.length, 9);
    // A certificate of Caddy's own authority, because nobody can reach this name.
    const commands = replaceShown(page.join('\necho ---\n'), [
      ['$HOST {\n', '{\n\tlocal_certs\n}\n$HOST {\n'],
    ]);
    const { status, output } = await runBooted({
      script: `set -e
export HOME=/root CURL_CA_BUNDLE=/var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
${[commands, ...MORE.split('---\n')].join('\necho ---\n')}`,
      binds: { [ROOT]: '/srv/changelog' },
      hosts: [HOST],
    });
    assert.equal(status, 0, output);
    const [, , program, started, doctor, imported, tls, backup, restore, confined, failed] =
      output.split('---\n');
    assert.match(program ?? '', /^\d+\.\d+\.\d+$/m);
    assert.match(started ?? '', /^200$/m);
    assert.match(doctor ?? '', /^(ok .*\n)+$/);
    assert.match(imported ?? '', /^200$/m);
    assert.match(tls ?? '', /^200$/m);
    assert.match(
      backup ?? '',
      /changelog-\d{4}-\d\d-\d\d\.db\n(.*\n)*.*changelog-backup\.timer +changelog-backup\.service/,
    );
    assert.match(
      restore ?? '',
      /^404\nRestored \S+\/changelog\.db from .*: 1 team, 1 product and .*\n200\n$/m,
    );

    assert.match(confined ?? '', /^CapEff:\t0+\nCapBnd:\t0+\nNoNewPrivs:\t1\nSeccomp:\t2$/m);
    assert.match(confined ?? '', /^cannot write\n200\nenabled\nenabled\n$/m);
    assert.match(failed ?? '', /^ *changelog-backup\.service +loaded failed failed/m);
    assert.match(failed ?? '', /^changelog: there is no database at \/var\/lib\/changelog\/none\.db\. /m);
    assert.match(failed ?? '', /^changelog-\d{4}-\d\d-\d\d\.db\n$/m);
  });
});
