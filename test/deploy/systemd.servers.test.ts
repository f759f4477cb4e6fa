// What systemd itself says about the units.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { ensureServers, serverProgram } from '../../cluster/debian.ts';
import { temporaryFolder } from '../../support/processes/scope.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const FOLDER = path.join(ROOT, 'deploy/systemd');
/** Of 100; `systemd-analyze` prints it as a number up to 10. */
const EXPOSURE_MAX = 20;

describe('systemd-analyze', () => {
  before(() => ensureServers(['systemd-analyze']));

  it('`verify` finds nothing in the units, and `security` an exposure of at most 2.0', (t) => {
    const folder = temporaryFolder(t);
    const names = readdirSync(FOLDER).filter((name) => !name.endsWith('.conf'));
    const units = names.map((name) => {
      const unit = path.join(folder, name);
      // It also looks for the programs of a unit.
      writeFileSync(unit, readFileSync(path.join(FOLDER, name), 'utf8').replaceAll('/srv/changelog', ROOT));
      return unit;
    });
    const analyze = (...args: string[]) => {
      const { status, stdout, stderr } = spawnSync(serverProgram('systemd-analyze'), args, {
        encoding: 'utf8',
      });
      return { status, text: stdout + stderr };
    };
    assert.deepEqual(analyze('verify', '--man=no', ...units), { status: 0, text: '' });
    const services = units.filter((unit) => unit.endsWith('.service'));
    assert.equal(services.length, 2);
    for (const service of services) {
      const { status, text } = analyze('security', '--offline=true', `--threshold=${EXPOSURE_MAX}`, service);
      assert.equal(status, 0, text);
      assert.match(text, /Overall exposure level for changelog\S*: [012]\.\d/);
    }
  });
});
