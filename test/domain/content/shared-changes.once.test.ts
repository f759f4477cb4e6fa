import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { SharedChanges } from '../../../src/domain/content/shared-changes.ts';
import type { ChangeType } from '../../../src/domain/model.ts';

type Change = Readonly<{ type: ChangeType; text: string; breaking: boolean }>;
type Version = ReturnType<typeof version>;

const NOON = Date.parse('2026-05-04T12:00:00.000Z');

/** `product` published these texts some minutes before noon; `!` makes one breaking, null never published it. */
function version(product: string, minutesBefore: number | null, ...texts: readonly string[]) {
  return {
    name: `${product}@${minutesBefore}`,
    head: { productId: product.charCodeAt(0) },
    publishedAt: minutesBefore === null ? null : new Date(NOON - minutesBefore * 60_000).toISOString(),
    description: null,
    image: null,
    changes: texts.map((text): Change => {
      const [type = 'fixed', rest = text] = text.includes(':') ? text.split(':') : [];
      return { type: type as ChangeType, text: rest.replace('!', ''), breaking: rest.endsWith('!') };
    }),
  };
}

function share(versions: readonly Version[], charactersMax?: number) {
  const shared = new SharedChanges<Version>(charactersMax);
  return [...versions.flatMap((each) => shared.add(each)), ...shared.finish()];
}

/** `a@0 x (b@1)` shows x and says that b has it too; `b@1 → a@0` leaves something out that a shows. */
const told = (...versions: readonly Version[]) =>
  share(versions).map(({ version: { name }, changes, shownBy }) =>
    [
      name,
      ...changes.map(({ text, breaking, alsoIn }) =>
        [
          text + (breaking ? '!' : ''),
          ...(alsoIn.length === 0 ? [] : [`(${alsoIn.map((each) => each.name).join(' ')})`]),
        ].join(' '),
      ),
      ...(shownBy.length === 0 ? [] : [`→ ${shownBy.map((each) => each.name).join(' ')}`]),
    ].join(' '),
  );

describe('the changes that products of a team share (R64)', () => {
  it('the newest version shows a shared change and names the others, which leave it out', () => {
    assert.deepEqual(told(version('a', 0, 'x', 'y'), version('b', 1, 'z', 'x'), version('c', 2, 'x')), [
      'a@0 x (b@1 c@2) y',
      'b@1 z → a@0',
      'c@2 → a@0',
    ]);
  });

  it('a change is shared if it has the same type and the same text', () => {
    assert.deepEqual(
      told(version('a', 0, 'fixed:x'), version('b', 1, 'added:x'), version('c', 2, 'fixed:X')),
      ['a@0 x', 'b@1 x', 'c@2 X'],
    );
  });

  it('an hour is near enough, to the millisecond', () => {
    assert.deepEqual(told(version('a', 0, 'x'), version('b', 60, 'x')), ['a@0 x (b@60)', 'b@60 → a@0']);
    const later = version('b', 60 + 1 / 60_000, 'x');
    assert.deepEqual(told(version('a', 0, 'x'), later), ['a@0 x', `${later.name} x`]);
  });

  it('the hour is counted from the version that shows the change, not from one that leaves it out', () => {
    assert.deepEqual(
      told(version('a', 0, 'x'), version('b', 40, 'x'), version('c', 80, 'x'), version('b', 90, 'x')),
      ['a@0 x (b@40)', 'b@40 → a@0', 'c@80 x (b@90)', 'b@90 → c@80'],
    );
  });

  it('a product does not share with itself', () => {
    assert.deepEqual(told(version('a', 0, 'x', 'x'), version('a', 1, 'x')), ['a@0 x x', 'a@1 x']);
    assert.deepEqual(told(version('a', 0, 'x'), version('a', 1, 'x'), version('b', 2, 'x', 'x')), [
      'a@0 x (b@2)',
      'a@1 x',
      'b@2 → a@0',
    ]);
  });

  it('a version that was never published shows all of its changes', () => {
    assert.deepEqual(told(version('a', null, 'x'), version('b', null, 'x'), version('c', 0, 'x')), [
      'a@null x',
      'b@null x',
      'c@0 x',
    ]);
  });

  it('a shared change is breaking if one of the versions says so, but no other change of them', () => {
    assert.deepEqual(told(version('a', 0, 'x', 'y'), version('b', 0, 'x!'), version('c', 0, 'y')), [
      'a@0 x! (b@0) y (c@0)',
      'b@0 → a@0',
      'c@0 → a@0',
    ]);
    assert.deepEqual(told(version('a', 0, 'x!', 'x')), ['a@0 x! x']);
  });

  it('a version is returned as soon as nothing can change it', () => {
    const shared = new SharedChanges<Version>();
    const names = (minutes: number) => shared.add(version('a', minutes)).map((each) => each.version.name);
    assert.deepEqual([0, 60, 61, 200].map(names), [[], [], ['a@0'], ['a@60', 'a@61']]);
    assert.deepEqual(
      shared.finish().map((each) => each.version.name),
      ['a@200'],
    );
  });

  it('very much text does not wait: a change is rather shown twice', () => {
    const long = 'x'.repeat(50);
    const versions = ['a', 'b', 'c'].map((product) => version(product, 0, long));
    const shown = share(versions, 499).map(({ changes }) => changes.map(({ alsoIn }) => alsoIn.length));
    assert.deepEqual(shown, [[1], [], [0]]);
  });

  it('many short changes do not wait either', () => {
    const shared = new SharedChanges<Version>();
    const many = Array.from({ length: 10_000 }, () => 'x');
    let waiting = 0;
    for (let product = 0; product < 20; product++)
      waiting += 1 - shared.add(version(String.fromCharCode(97 + product), 0, ...many)).length;
    assert.ok(waiting < 10, `${waiting} versions wait`);
  });

  it('a change takes a few steps, however often its product repeats it', () => {
    let steps = 0;
    const head = {
      get productId() {
        steps++;
        return 1;
      },
    };
    const versions = Array.from({ length: 100 }, () => ({ ...version('a', 0, 'x', 'x', 'x'), head }));
    assert.ok(share(versions).every(({ changes }) => changes.length === 3));
    assert.ok(steps <= 100 * 3 * 2, `${steps} steps`);
  });

  it('any timeline: nothing is lost, and each change is where the rule says', () => {
    const anyVersion = fc.tuple(
      fc.constantFrom('a', 'b', 'c'),
      fc.integer({ min: 0, max: 30 }),
      fc.array(fc.constantFrom('x', 'y', 'x!', 'added:x'), { maxLength: 3 }),
    );
    fc.assert(
      fc.property(fc.array(anyVersion, { maxLength: 12 }), (drawn) => {
        const versions = drawn
          .toSorted(([, one], [, other]) => one - other)
          .map(([product, tenMinutes, texts]) => version(product, tenMinutes * 10, ...texts));
        const shared = share(versions);
        assert.deepEqual(
          shared.map((each) => each.version),
          versions,
        );
        const expected = byTheRule(versions);
        for (const [index, { changes, shownBy }] of shared.entries()) {
          const wanted = expected[index] as (typeof expected)[number];
          assert.deepEqual(
            changes.map(({ type, text, alsoIn }) => [
              type,
              text,
              alsoIn.map((each) => versions.indexOf(each)),
            ]),
            wanted.shown,
          );
          assert.deepEqual(new Set(shownBy.map((each) => versions.indexOf(each))), wanted.shownBy);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});

/** The rule, read aloud: each version looks for the first one above it that shows the change. */
function byTheRule(versions: readonly Version[]) {
  const timeOf = ({ publishedAt }: Version) => Date.parse(publishedAt ?? '');
  const isSame = (one: Change, other: Change) => one.type === other.type && one.text === other.text;
  const showing: number[][] = [];
  for (const [index, each] of versions.entries())
    showing.push(
      each.changes.map((change) => {
        const above = versions.findIndex(
          (other, at) =>
            at < index &&
            other.head.productId !== each.head.productId &&
            timeOf(other) - timeOf(each) <= 3_600_000 &&
            other.changes.some((its, place) => isSame(its, change) && showing[at]?.[place] === at),
        );
        return above === -1 ? index : above;
      }),
    );
  return versions.map(({ changes }, index) => ({
    shown: changes.flatMap((change, place) => {
      if (showing[index]?.[place] !== index) return [];
      const others = versions.flatMap((other, at) =>
        at !== index &&
        other.changes.some((its, where) => isSame(its, change) && showing[at]?.[where] === index)
          ? [at]
          : [],
      );
      return [[change.type, change.text, others]];
    }),
    shownBy: new Set((showing[index] ?? []).filter((at) => at !== index)),
  }));
}
