// Versions on lines of their own, in the forms of well-known projects.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { convertToMarkdown } from '../../../src/import/markup/markup.ts';
import { read } from './helpers.ts';

const LIST = '\n\n* One\n* Two\n\n';
const two = (newest: string, oldest: string, body = LIST) => newest + body + oldest + body;

/** The text, and for each version its label, day and number of changes. */
const FORMS: Readonly<Record<string, readonly [text: string, versions: string, file?: string]>> = {
  Lucene: [
    `Lucene Change Log\n\n${two('======= Lucene 11.0.0 =======', '======= Lucene 10.0.0 =======', '\n\nAPI Changes\n---------\n* One\n\n* Two\n\n')}`,
    '11.0.0 draft 2, 10.0.0 draft 2',
  ],
  systemd: [
    'systemd System and Service Manager\n\nCHANGES WITH 262 🎃:\n\n        Removals:\n\n        * One\n\n        * Two\n\n        — Berlin, 2026-05-04\n\nCHANGES WITH 261:\n\n        * One\n\n        — Berlin, 2026-01-01\n',
    '262 2026-05-04 2, 261 2026-01-01 1',
  ],
  Hibernate: [
    `Hibernate Changelog\n===================\n\n${two('Changes in 7.2.24.Final (August 3, 2026)\n----------------------------------------', 'Changes in 7.2.23.Final (July 3, 2026)\n-----------------------------------', '\n\n** Bug\n    * HHH-1 One\n    * HHH-2 Two\n\n')}`,
    '7.2.24.Final 2026-08-03 2, 7.2.23.Final 2026-07-03 2',
  ],
  libarchive: [
    'Dec 24, 2011: libarchive 3.0.2 released\nDec 23, 2011: libarchive 3.0.1 broke bsdtar because of\n\ta fix.\n\nNov 27, 2011: libarchive 3.0.1a released (test release for 3.1)\nNov 26, 2011: Fix a leak\n',
    '3.0.2 2011-12-24 0, 3.0.1a 2011-11-27 0',
  ],
  PHP: [
    `PHP            NEWS\n||||||||||||||||||||\n${two('?? ??? ????, PHP 8.6.0beta2', '13 Aug 2026, PHP 8.6.0beta1', '\n\n- Core:\n  . One\n    more. (ada)\n- Curl:\n  . Two\n\n')}`,
    '8.6.0beta2 draft 2, 8.6.0beta1 2026-08-13 2',
  ],
  'date and version': [
    two('29/07/2026 version 8.7.0-rc1', '01/06/2026 version 8.6.0'),
    '8.7.0-rc1 2026-07-29 2, 8.6.0 2026-06-01 2',
  ],
  Nmap: [
    `#Nmap Changelog ($Id$); -*-text-*-\n\n${two('Nmap 7.95 [2024-05-05]', 'Nmap 7.94 [2023-05-05]', '\n\no [NSE] One\n  more.\n\no Two [x]\n\n')}`,
    '7.95 2024-05-05 2, 7.94 2023-05-05 2',
  ],
  HAProxy: [
    `ChangeLog :\n===========\n\n${two('2026/05/04 : 3.2-dev1', '2026/04/04 : 3.2-dev0', '\n    - MINOR: One\n    - BUG/MINOR: Two\n\n')}`,
    '3.2-dev1 2026-05-04 2, 3.2-dev0 2026-04-04 2',
  ],
  GDB: [
    `What has changed in GDB?\n\n${two('*** Changes in GDB 12.1', '*** Changes in GDB-4.18:')}`,
    '12.1 draft 2, 4.18 draft 2',
  ],
  GnuPG: [
    two(
      'Noteworthy changes in version 2.2.40 (2022-10-10)\n-------------------------------------------------',
      'Noteworthy changes in version 2.2.39 (2022-09-10)\n-------------------------------------------------',
      '\n\n  * gpg: One.\n\n  * gpg: Two\n    more. [T1]\n\n',
    ),
    '2.2.40 2022-10-10 2, 2.2.39 2022-09-10 2',
  ],
  'GNU NEWS of one release': [
    'GNU coreutils NEWS                 -*- outline -*-\n\n* Noteworthy changes in release 9.5 (2024-03-28) [stable]\n\n** Bug fixes\n\n  chmod -R now avoids a race.\n\n** New Features\n\n  ls is fast.\n',
    '9.5 2024-03-28 2',
  ],
  'changes in one release': ['Changes in 1.2:\n\n- One\n- Two\n', '1.2 draft 2'],
  GTK: [
    two(
      'Overview of Changes in GTK+ 3.24.38, 21-05-2023\n===============================================',
      'Overview of Changes in GTK+ 3.24.37, 12-04-2023\n===============================================',
      '\n\n* GtkFileChooser:\n - One\n\n* Theme:\n - Two\n\n',
    ),
    '3.24.38 2023-05-21 2, 3.24.37 2023-04-12 2',
  ],
  Zip: [
    '----------------- August 7th 1996 version 2.2a ------------------\n 1. One\n 2. Two\n---------------- August 9th 1996 version 2.2b ------------------\n 1. One\n',
    '2.2a 1996-08-07 2, 2.2b 1996-08-09 1',
  ],
  Subversion: [
    two(
      'Version 1.14.2\n(12 Apr 2022, from /branches/1.14.x)',
      'Version 1.14.1\n(branching 10 Feb 2021, from /branches/1.14.x)\nhttps://x.example/1.14.1',
      '\n\n  - Bugfixes:\n    * One\n\n  - Other:\n    * Two\n\n',
    ),
    '1.14.2 2022-04-12 2, 1.14.1 2021-02-10 2',
  ],
  libpcap: [
    'Tuesday, December 30, 2025 / The Tcpdump Group\n  Summary for 1.10.6 libpcap release\n    General:\n      One\n\nFriday, August 30, 2024 / The Tcpdump Group\n  Summary for 1.10.5 libpcap release:\n    General:\n      One\n\nMon.    October 27, 2008.  ada@x.example.  Summary for 1.0.0 libpcap release\n    One\n',
    '1.10.6 2025-12-30 0, 1.10.5 2024-08-30 0, 1.0.0 2008-10-27 0',
  ],
  procps: [
    `procps-ng-4.0.2\n---------------${LIST}procps-ng-3.3.1 --> procps-ng-3.3.2${LIST}`,
    '4.0.2 draft 2, 3.3.2 draft 2',
  ],
  FriBidi: [
    two(
      'Overview of changes between 1.0.7 and 1.0.8\n===========================================',
      'Overview of changes between 1.0.6 and 1.0.7\n===========================================',
    ),
    '1.0.8 draft 2, 1.0.7 draft 2',
  ],
  GMP: [
    two('Changes between GMP version 6.2.0 and 6.2.1', 'Changes between GMP version 6.1.* and 6.2.0'),
    '6.2.1 draft 2, 6.2.0 draft 2',
  ],
  bc: [
    two('Changes in bc from 1.07 to 1.07.1.', 'Changes in bc from 1.06 to 1.07.'),
    '1.07.1 draft 2, 1.07 draft 2',
  ],
  Nettle: [
    two('NEWS for the Nettle 3.8.1 release', 'NEWS for the Nettle 3.8 release'),
    '3.8.1 draft 2, 3.8 draft 2',
  ],
  libsodium: [
    '\n* Version 1.0.18\n - One\n - Two\n\n* Version 1.0.17\n - One\n',
    '1.0.18 draft 2, 1.0.17 draft 1',
  ],
  'Perl, in brackets': [
    two('[Changes for 0.04 - 2008-10-24]', '[Changes for 0.03 - 2008-10-23]'),
    '0.04 2008-10-24 2, 0.03 2008-10-23 2',
  ],
  ggplot2: [
    two(`ggplot2 1.0.1\n${'-'.repeat(64)}`, `ggplot2 1.0.0\n${'-'.repeat(64)}`),
    '1.0.1 draft 2, 1.0.0 draft 2',
  ],
  Moose: [
    two('0.34   2008-01-21', '0.33   2007-12-14', '\n    ~~~ more misc. doc. fixes ~~~\n    - One\n\n'),
    '0.34 2008-01-21 1, 0.33 2007-12-14 1',
  ],
  'GNU tar': [
    two('version 1.13.17 - Paul Eggert, 2000-01-07.', 'version 1.13.16 - Paul Eggert, 1999-12-13.'),
    '1.13.17 2000-01-07 2, 1.13.16 1999-12-13 2',
  ],
  Dolibarr: [
    two('***** ChangeLog for 21.0.0 compared to 20.0 *****', '***** ChangeLog for 4.0.6 to 4.0.5 *****'),
    '21.0.0 draft 2, 4.0.6 draft 2',
  ],
  calibre: [
    two(
      '{{{ 6.13.0 2023-02-17',
      '{{{ 6.12.0 2023-02-03',
      '\n\n:: new features\n\n- One\n\n:: bug fixes\n\n- Two\n\n}}}\n\n',
    ),
    '6.13.0 2023-02-17 2, 6.12.0 2023-02-03 2',
  ],
  Cabal: [
    '-*-change-log-*-\n\n1.4 Ada Byron <ada@x.example> October 2021\n\t* One\n\n1.2 Ada M. Byron <ada@x.example> Feb 2021\n\t* One\n\t* Two\n',
    '1.4 draft 1, 1.2 draft 2',
  ],
  qBittorrent: [
    'Unreleased - ada <ada@x.example> - v5.3.0\n    - FEATURE: One\n\nTue Jul 07 2026 - ada <ada@x.example> - v5.2.3\n    - BUGFIX: One\n\n* Sun Sept 14 2008 - Ada Byron <ada@x.example> and bob <bob@x.example> - v1.1.4\n    - BUGFIX: One\n',
    'Unreleased draft 1, v5.2.3 2026-07-07 1, v1.1.4 2008-09-14 1',
  ],
  GIMP: [
    `${' '.repeat(9)}${'-'.repeat(18)}\n          GNU Image Program\n          2.10 Stable Branch\n${' '.repeat(9)}${'-'.repeat(18)}\n\n${two(
      'Overview of Changes from GIMP 2.10.32 to GIMP 2.10.34\n=====================================================',
      'Overview of Changes from GIMP 2.10.30 to GIMP 2.10.32\n=====================================================',
    )}`,
    '2.10.34 draft 2, 2.10.32 draft 2',
  ],
  Octave: [
    two(
      'Summary of bugs fixed for version 7.3.0 (2022-11-02):\n----------------------------------------------------',
      'Summary of important user-visible changes for version 7 (2022-04-06)\n--------------------------------------------------------------------',
      '\n\n### Improvements and fixes\n\n- `scanf`: One.\n- Two.\n\n',
    ),
    '7.3.0 2022-11-02 2, 7 2022-04-06 2',
    'NEWS',
  ],
  SmartEditor: [
    two(
      `${'='.repeat(40)}\n2.3.10_임시\n${'-'.repeat(40)}`,
      `${'='.repeat(40)}\n2.3.10\n${'-'.repeat(40)}`,
      '\n1. 버그 수정\n   - One\n   - Two\n\n',
    ),
    '2.3.10_임시 draft 2, 2.3.10 draft 2',
  ],
  Wget: [
    '* Changes in Wget 1.11.1.\n\n** One.\n\n** Two.\n\n* Wget 1.9.1 is a bugfix release with no user-visible changes.\n\n* Changes in Wget 1.9.\n\n** One.\n',
    '1.11.1 draft 0, 1.9.1 draft 0, 1.9 draft 0',
  ],
  'GNU Make': [two('Version 3.50', 'Version 3.14.'), '3.50 draft 2, 3.14 draft 2'],
  Taskwarrior: [two('3.1.0 -', '3.0.1 (2024-05-04) -'), '3.1.0 draft 2, 3.0.1 2024-05-04 2'],
  Zsh: [
    two(
      'New features in zsh version 4.0.1\n---------------------------------',
      'New features in zsh version 3.1.8 and 3.1.9\n-------------------------------------------',
    ) +
      two(
        'Changes in 3.0 since version 2.9.1\n----------------------------------',
        'New features between zsh versions 2.0 and 2.9\n---------------------------------------------',
      ),
    '4.0.1 draft 2, 3.1.8 draft 2, 3.0 draft 2, 2.9 draft 2',
  ],
  Roundcube: [
    '* version 1.0 [2009-05-14]\n-----------------------------------------------------------\n- One\n\n* version beta7 (svn-r2300) [2009-03-01]\n-----------------------------------------------------------\n- One\n- Two\n',
    '1.0 2009-05-14 1, beta7 2009-03-01 2',
  ],
  Galette: [two('0.61 -> 0.62', 'O.60 -> 0.61'), '0.62 draft 2, 0.61 draft 2'],
  Apache: [
    `${' '.repeat(40)}-*- coding: utf-8 -*-\n${two('Changes with Apache 2.4.71', 'Changes with Apache 2.4.70', '\n\n  *) One\n     more.\n\n')}`,
    '2.4.71 draft 1, 2.4.70 draft 1',
  ],
  Bash: [
    two(
      'This document details the changes between this version, bash-5.2-rc4, and\nthe previous version, bash-5.2-rc3.',
      'This is a terse description of the new features added to bash-5.1 since\nthe release of bash-5.0.',
    ),
    '5.2-rc4 draft 2, 5.1 draft 2',
  ],
  Automake: [two('New in 1.13:', 'Bugs fixed in 1.12.6:'), '1.13 draft 2, 1.12.6 draft 2'],
  SDL: [
    `${'-'.repeat(60)}\n2.0.7:\n${'-'.repeat(60)}\n\nGeneral:\n* One\n\nGeneral:\n${'-'.repeat(60)}\n2.0.6:\n${'-'.repeat(60)}\n\nGeneral:\n* One\n`,
    '2.0.7 draft 1, 2.0.6 draft 1',
  ],
  'PC/SC': [
    two('1.9.9: Ada Byron\n11 September 2022', '1.9.8: Ada Byron\n11 June 2022', '\n- One\n\n'),
    '1.9.9 2022-09-11 1, 1.9.8 2022-06-11 1',
  ],
  ImageMagick: [
    two(
      '2021-01-25  6.9.11-60  <ada@x.example>',
      '2021-01-24  6.9.11-59 Ada  <ada@x.example>',
      '\n  * One\n\n',
    ),
    '6.9.11-60 2021-01-25 1, 6.9.11-59 2021-01-24 1',
  ],
  libsolv: [two('Version 0.6.24', 'Version 0.6.22, 0.6.23'), '0.6.24 draft 2, 0.6.22 draft 2'],
  'Perl, with a time': [
    'Revision history for Rocket\n\n{{$NEXT}}\n    - Soon\n\n1.23  2026-05-04T10:00:00Z\n    - One\n    - Two\n\n1.22    2026-01-01 10:00:00+02:00 Europe/Berlin\n    - One\n',
    'Unreleased draft 1, 1.23 2026-05-04 2, 1.22 2026-01-01 1',
  ],
  'Perl, with tabs': [
    'Revision history for Perl extension Rocket.\n\n1.23\tMon May  4 10:00:00 2026\n\t- One\n\t- Two\n\n1.22\tThu Jan  1 10:00:00 2026\n\t- One\n',
    '1.23 2026-05-04 2, 1.22 2026-01-01 1',
  ],
  'Perl, as documentation': [
    '=head1 NAME\n\nDBI::Changes\n\n=cut\n\n=head2 Changes in DBI 1.643 - 31st Jan 2020\n\n  * One\n\n=head2 Changes in DBI 1.642 - 28th Oct 2018\n\n  * One\n',
    '1.643 2020-01-31 1, 1.642 2018-10-28 1',
  ],
  'R, underlined': [
    two(
      'CHANGES IN VERSION 1.2.3\n------------------------',
      'CHANGES IN VERSION 1.2.2\n------------------------',
      '\n\nNEW FEATURES\n\n    o One\n\nBUG FIXES\n\n    o Two\n      more\n\n',
    ),
    '1.2.3 draft 2, 1.2.2 draft 2',
  ],
  'R, with the name': [
    two(
      'CHANGES IN rocket VERSION 1.2.3',
      'CHANGES IN rocket VERSION 1.2.2',
      '\n\nNEW FEATURES\n\n  o One\n\n',
    ),
    '1.2.3 draft 1, 1.2.2 draft 1',
  ],
  'R, in Markdown': [
    '# pkg 1.2.3\n\n* One\n\n# pkg 1.2.2\n\n* Two\n',
    '1.2.3 draft 1, 1.2.2 draft 1',
    'NEWS.md',
  ],
  'a slash': [two('2.1.0 / 2026-05-04', '2.0.0 / 2026-01-01'), '2.1.0 2026-05-04 2, 2.0.0 2026-01-01 2'],
  'dashes around': [
    two('-- 1.2.0 (2026-05-04) --', '-- 1.1.0 (2026-01-01) --'),
    '1.2.0 2026-05-04 2, 1.1.0 2026-01-01 2',
  ],
  'stars around': [two('*** 1.2.0 ***', '*** 1.1.0 ***'), '1.2.0 draft 2, 1.1.0 draft 2'],
  'equals signs around': [two('===1.2.0===', '===1.1.0==='), '1.2.0 draft 2, 1.1.0 draft 2'],
  MediaWiki: [two('== 1.2.0 ==', '== 1.1.0 =='), '1.2.0 draft 2, 1.1.0 draft 2'],
  Textile: [
    two('h2. 1.2.0 (2026-05-04)', 'h2. 1.1.0 (2026-01-01)', '\n\nh3. Fixed\n\n* One\n** more\n* Two\n\n'),
    '1.2.0 2026-05-04 2, 1.1.0 2026-01-01 2',
  ],
  'WordPress readme': [
    '=== Rocket ===\nStable tag: 1.2\n\n== Description ==\n\n= 3.0 things =\n\nwords\n\n== Changelog ==\n\n= 1.2 - 2026-05-04 =\n* One\n* Two\n\n= 1.1 =\n* One\n\n== Upgrade Notice ==\n\n= 1.2 =\nDo it.\n',
    '1.2 2026-05-04 2, 1.1 draft 1',
    'readme.txt',
  ],
};

describe('versions on lines of their own', () => {
  for (const [name, [text, versions, file = 'CHANGES']] of Object.entries(FORMS))
    it(name, () => {
      const { labels, days, changes } = read(file, text);
      const found = labels.map((label, index) => `${label} ${days[index]} ${changes[index]?.length}`);
      assert.equal(found.join(', '), versions);
    });

  it('text right below a line that is only a version and a date: zstd', () => {
    const { labels, descriptions } = read(
      'CHANGELOG',
      two('v1.5.0  (May 11, 2021)', 'v1.4.9  (Mar 1, 2021)', '\napi: One\n\n'),
    );
    assert.deepEqual([labels, descriptions.length], [['v1.5.0', 'v1.4.9'], 2]);
  });

  it('a number without a dot, after a word that says what it is', () => {
    for (const [line, heading] of [
      ['Version 2', '## Version 2'],
      ['CHANGES WITH 262:', '## Version 262'],
      ['*** Changes in GDB 13', '## Version 13'],
    ] as const) {
      const lines = `${line}${LIST}1.0 (2026-05-04)${LIST}`.split('\n');
      const converted = convertToMarkdown(lines, { name: 'NEWS', wanted: null, rule: null });
      assert.equal(converted.lines[0], heading);
    }
  });

  it('a command is not a heading', () => {
    const text = two(
      'CHANGES WITH 1.2',
      'CHANGES WITH 1.1',
      '\n\n  * One:\n\n    # make install\n\n    and so on\n\n',
    );
    const { changes } = read('NEWS', text);
    assert.deepEqual(changes, Array(2).fill(['One:\n\n\\# make install\n\nand so on']));
  });

  it('nothing but the changelog of a readme is read', () => {
    const [text] = FORMS['WordPress readme'] ?? [''];
    assert.doesNotMatch(JSON.stringify(read('readme.txt', text)), /things|words|Do it|Stable/);
  });

  for (const line of [
    'Changes since 1.4',
    'Version 1.3.5 released, at last',
    '2026-05-04: rocket 1.4 broke the tank',
    'Requires Python 3.8',
    '--- see version 1.4 ---',
    'Version 3 of the protocol',
    '2 of 3.4 tanks',
    'Rocket 1.4 is a bug-fix release.',
    'Perl 5.8.',
    '2001.05.04  Ada  <ada@x.example>',
    'Tue Dec 21 11:04:45 EST 1999  Ada Byron <ada@x.example> *** 1.4 release ***',
    'This document is about the features of 1.4 and more',
  ])
    it(`${line} is not a version`, () => {
      const { labels } = read(
        'CHANGES',
        `1.2 (2026-05-04)\n\n* One\n\n${line}\n\n* Two\n\n1.1 (2026-01-01)\n\n* Three\n`,
      );
      assert.deepEqual(labels, ['1.2', '1.1']);
    });
});
