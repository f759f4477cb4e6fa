import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import semver from 'semver';
import { majorOf, versionOrder } from '../../src/domain/version-order.ts';

/** The example in the Semantic Versioning specification, lowest first. */
const PRECEDENCE = [
  '1.0.0-alpha',
  '1.0.0-alpha.1',
  '1.0.0-alpha.beta',
  '1.0.0-beta',
  '1.0.0-beta.2',
  '1.0.0-beta.11',
  '1.0.0-rc.1',
  '1.0.0',
  '2.0.0',
  '2.1.0',
  '2.1.1',
];

const number = fc.oneof(fc.nat(20), fc.nat(2_000_000_000)).map(String);
const identifier = fc.oneof(
  number,
  fc.stringMatching(/^[0-9A-Za-z-]{1,6}$/).filter((text) => !/^0\d+$/.test(text)),
);
const dotted = fc.array(identifier, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('.'));
const version = fc
  .tuple(number, number, number, fc.option(dotted), fc.option(dotted))
  .map(
    ([major, minor, patch, prerelease, build]) =>
      `${major}.${minor}.${patch}${prerelease === null ? '' : `-${prerelease}`}${build === null ? '' : `+${build}`}`,
  );

describe('the order of versions', () => {
  it('versions sort as specified by Semantic Versioning', () => {
    const ordered = PRECEDENCE.map(versionOrder);
    assert.deepEqual([...ordered].sort(), ordered);
    assert.equal(new Set(ordered).size, PRECEDENCE.length);
  });

  it('versions sort as in the npm package semver', () => {
    fc.assert(
      fc.property(version, version, (one, other) => {
        const [a, b] = [versionOrder(one), versionOrder(other)];
        assert.ok(a !== null && b !== null);
        assert.equal(a < b ? -1 : a > b ? 1 : 0, semver.compare(one, other));
      }),
      { numRuns: 5_000 },
    );
  });

  it('versions may have a leading v, missing numbers and leading zeros', () => {
    for (const [written, meant] of [
      ['v2.1.0', '2.1.0'],
      ['V2.1.0', '2.1.0'],
      ['14.1', '14.1.0'],
      ['14.1-rc.1', '14.1.0-rc.1'],
      ['7', '7.0.0'],
      ['24.04', '24.4.0'],
      ['1.0.0+build.5', '1.0.0'],
    ] as const) {
      assert.equal(versionOrder(written), versionOrder(meant), written);
      assert.notEqual(versionOrder(written), null);
    }
  });

  it('labels that are not versions have no sort key', () => {
    for (const label of [
      '',
      'spring',
      'v',
      '2026-05-04',
      '1.2.3.4',
      '1..2',
      '1.2.',
      '.1',
      '1.0.0-',
      '1.0.0-a..b',
      '1.0.0+',
      '1.0.0-ä',
      '1.0.0 ',
      '١.٠.٠',
    ])
      assert.equal(versionOrder(label), null, label);
  });
});

it('the major of a label is its first number', () => {
  for (const [label, major] of [
    ['2.1.0', '2'],
    ['v14', '14'],
    ['V007.1', '7'],
    ['0.9.0', '0'],
    ['99999999999999999999.1.0', '99999999999999999999'],
  ] as const)
    assert.equal(majorOf(label), major, label);
});
