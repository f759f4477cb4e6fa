import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readChangelog } from '../../../src/import/read.ts';
import { NO_RULES } from '../../../src/import/rules.ts';
import { read } from './helpers.ts';

const DEBIAN = `rocket (1:2.3-4~bpo12+1) UNRELEASED; urgency=medium

  * Soon.

 -- Ada Byron <ada@x.example>  Tue, 05 May 2026 10:00:00 +0000

rocket (2.3-4) unstable; urgency=high

  [ Ada Byron ]
  * Fix a <leak>
    in the tank. (Closes: #12)
  * Pads:
    - north
      + gate

  [ Ben ]
  * d/control:
    # not a heading

 -- Ben <ben@x.example>  Mon, 04 May 2026 23:30:00 -0200

rocket (20240101) unstable experimental; urgency=low, binary-only=yes

  Words of a native package.

 -- Ada Byron <ada@x.example>  Mon, 1 Jan 2024 00:30:00 +0100 (CET)
`;

const RPM = `* Mon May 04 2026 Ada Byron <ada@x.example> - 1:1.2-3%{?dist}
- Fix a leak
  in the tank
# a comment
- Two

* Sun May 03 2026 Ada Byron <ada@x.example>-1.2-2
- Two

* Sat May 02 2026 Ben <ben@x.example>
- 1.2-1
- One

* Fri May 01 2026 ben@host-1.x.example
- Update to version 1.1:
  + Faster
- Update the patch to 9.9

* Fri May  1 08:00:00 UTC 2026 Ben <ben@x.example> v1.0~rc1
- One

* Thu Apr 30 2026 Ben <ben@x.example>
- Rebuilt with gcc 15.1
`;

const SUSE = `-------------------------------------------------------------------
Mon May  4 23:30:00 UTC 2026 - Ada Byron <ada@x.example>

- Update to version 1.2:
  + Fix a leak
  * Faster
- Update to 1.1.9

-------------------------------------------------------------------
Sun May  3 10:00:00 CEST 2026 - ben@x.example

- Add a patch.

-------------------------------------------------------------------
Sun May  3 09:00:00 CEST 2026 - ben@x.example

- Drop a patch.

-------------------------------------------------------------------
Sat May  2 09:00:00 CEST 2026 - ben@x.example

- Words
- version 1.1

-------------------------------------------------------------------
Fri May  1 09:00:00 CEST 2026 - ben@x.example - 1.0

- First
`;

describe('the changelog of a Debian package', () => {
  it('has the date and the time of the trailer, and a draft for UNRELEASED', () => {
    const { markup, labels, days, lines } = read('changelog', DEBIAN);
    assert.equal(markup, 'debian');
    assert.deepEqual(labels, ['1:2.3-4~bpo12+1', '2.3-4', '20240101']);
    assert.deepEqual(days, ['draft', '2026-05-05', '2023-12-31']);
    assert.deepEqual(lines, [1, 7, 22]);
    const { versions } = readChangelog({ bytes: Buffer.from(DEBIAN), name: 'x' }, { format: 'debian' });
    assert.equal([...versions][1]?.content.publishedAt, '2026-05-05T01:30:00.000Z');
  });

  it('has items as changes, without the names of their authors', () => {
    const { changes, descriptions } = read('changelog', DEBIAN);
    assert.deepEqual(changes[1], [
      'Fix a \\<leak>\nin the tank. (Closes: #12)',
      'Pads:\n- north\n  + gate',
      'd/control:\n\\# not a heading',
    ]);
    assert.deepEqual(descriptions, [null, 'Urgency: high.', 'Words of a native package.']);
  });
});

describe('the changelog of an RPM package', () => {
  const LABELS = ['1:1.2-3', '1.2-2', '1.2-1', '1.1', 'v1.0~rc1', '2026-04-30'];
  const DAYS = ['2026-05-04', '2026-05-03', '2026-05-02', '2026-05-01', '2026-05-01', '2026-04-30'];

  it('has the version of the first line, or of the text, or the day', () => {
    const { markup, labels, days, changes } = read('changelog', RPM);
    assert.equal(markup, 'rpm');
    assert.deepEqual([labels, days], [LABELS, DAYS]);
    assert.deepEqual(changes[0], ['Fix a leak\nin the tank', 'Two']);
    assert.deepEqual(changes[2], ['One']);
  });

  it('is found in a spec file, between other sections', () => {
    const head = 'Name: rocket\nVersion: 7.0\n\n%description\nA rocket.\n\n%changelog\n';
    const { markup, labels, lines, changes, descriptions } = read(
      'rocket.spec',
      `${head}${RPM}\n%files\n/usr/bin/rocket\n* Mon May 04 2026 Ada - 9.9\n`,
    );
    assert.equal(markup, 'rpm');
    assert.deepEqual([labels, lines[0]], [LABELS, 8]);
    assert.deepEqual(changes.at(-1), ['Rebuilt with gcc 15.1']);
    assert.deepEqual(new Set(descriptions), new Set([null]));
  });
});

describe('the changes of a SUSE package', () => {
  it('have the version that the text names, or the day', () => {
    const { markup, labels, days, changes } = read('rocket.changes', SUSE);
    assert.equal(markup, 'suse');
    assert.deepEqual(labels, ['1.2', '2026-05-03', '1.1', '1.0']);
    assert.deepEqual(days, ['2026-05-04', '2026-05-03', '2026-05-02', '2026-05-01']);
    assert.deepEqual(changes, [
      ['Update to version 1.2:\n+ Fix a leak\n* Faster', 'Update to 1.1.9'],
      ['Add a patch.', 'Drop a patch.'],
      ['Words'],
      ['First'],
    ]);
  });

  for (const [item, label] of [
    ['update to 1.2.3', '1.2.3'],
    ['Updated to 1.2.3.', '1.2.3'],
    ['Update to version v1.2.3, which is fast', 'v1.2.3'],
    ['Version update to 1.2.3', '1.2.3'],
    ['Bump version to 1.2.3 (bsc#1)', '1.2.3'],
    ['Update to new upstream release 2.0+git20260504.abc', '2.0+git20260504.abc'],
    ['New upstream version 20260504', '20260504'],
    ['1.2.3', '1.2.3'],
    ['1.2.3 (bsc#1)', '1.2.3'],
    ['Update to 3 patches', '2026-05-04'],
    ['Update BuildRequires to 1.2.3', '2026-05-04'],
    ['Update to use Python 3.13', '2026-05-04'],
    ['New 1.2.3-compatible headers', '2026-05-04'],
  ])
    it(`${item} is ${label}`, () => {
      const text = `${'-'.repeat(67)}\nMon May  4 10:00:00 UTC 2026 - a@x.example\n\n- ${item}\n  * A pad\n- Words\n`;
      assert.deepEqual(read('x.changes', text).labels, [label]);
    });
});

describe('the changelog of a package', () => {
  it('has no address of a maintainer', () => {
    for (const text of [DEBIAN, RPM, SUSE])
      assert.doesNotMatch(JSON.stringify(read('changelog', text)), /x\.example|Byron/);
  });

  it('is read by --format, and not where a rule or the name says otherwise', () => {
    assert.equal(read('x', `vim: set et:\n\n${DEBIAN}`, 'debian').labels.length, 3);
    const rules = { ...NO_RULES, heading: /^rocket \((?<label>[^)]+)\)/ };
    const { markup } = readChangelog({ bytes: Buffer.from(DEBIAN), name: 'x' }, { format: 'auto', rules });
    assert.equal(markup, 'text');
    const list = '## 1.0.0 - 2026-05-04\n\n* Mon May 04 2026 Ada <a@x.example> - 9.9\n\n%changelog\n';
    assert.deepEqual(read('NEWS', list).labels, ['1.0.0']);
  });

  it('is refused for a day that does not exist', () => {
    const text = DEBIAN.replace('Mon, 04 May', 'Mon, 34 May');
    assert.throws(() => read('changelog', text), /:7: .*has an invalid date, .*34 May 2026/);
  });
});
