import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  decideImport,
  decideRemoved,
  type ImportCase,
  type ImportDecision,
  type ImportedState,
  type ImportState,
} from '../../../src/domain/content/import-decision.ts';
import type {
  ScheduledPublication,
  VersionPublication,
  WantedPublication,
} from '../../../src/domain/content/lifecycle.ts';

const NOW = '2026-07-01T08:00:00.000Z';
const OPTION = '2020-01-01T00:00:00.000Z';

const DRAFT: VersionPublication = { status: 'draft', publishedAt: null };
const MAY: VersionPublication = { status: 'published', publishedAt: '2026-05-04T00:00:00.000Z' };
const JUNE: VersionPublication = { status: 'published', publishedAt: '2026-06-04T00:00:00.000Z' };
const WITHDRAWN: VersionPublication = { ...MAY, status: 'draft' };
/** In the future. */
const AUGUST: VersionPublication = { status: 'published', publishedAt: '2026-08-04T00:00:00.000Z' };
const AUGUST_EVENING = '2026-08-04T18:00:00.000Z';
/** What is stored of a date in the future. */
const scheduled = (publishAt: string, publishedAt: string | null = null): ScheduledPublication => ({
  status: 'draft',
  publishedAt,
  publishAt,
});
const FOR_AUGUST = scheduled(AUGUST.publishedAt as string);

/** The same in the database; `old scheduled` waits for August, and `old evening` for a time that a person chose. */
function storedState(text: string): ImportState {
  const [content = '', name = ''] = text.split(' ');
  const waiting: Record<string, ScheduledPublication> = {
    scheduled: FOR_AUGUST,
    evening: scheduled(AUGUST_EVENING),
  };
  const publication = waiting[name] ?? {
    ...(statement(text).publication as VersionPublication),
    publishAt: null,
  };
  return { content, publication };
}

/** `old May` is content `old` published in May; `old` alone has no publication. */
function statement(text: string): ImportedState {
  const [content = '', name] = text.split(' ');
  const named: Record<string, VersionPublication> = {
    draft: DRAFT,
    May: MAY,
    June: JUNE,
    withdrawn: WITHDRAWN,
    August: AUGUST,
    evening: { ...AUGUST, publishedAt: AUGUST_EVENING },
  };
  return { content, publication: name === undefined ? null : (named[name] as VersionPublication) };
}

const write = ({ status, publishedAt, publishAt = null }: WantedPublication) =>
  `${status} ${publishedAt} ${publishAt}`;

function caseOf(stored: string, mark: string, source: string, flags = ''): ImportCase {
  return {
    stored: stored === '-' ? null : storedState(stored),
    mark: mark === '-' ? null : statement(mark),
    source: statement(source),
    force: flags.includes('force'),
    publishedAt: flags.includes('published-at') ? OPTION : null,
    now: NOW,
  };
}

const AT_OPTION = { status: 'published', publishedAt: OPTION };

type Row = readonly [
  what: string,
  given: ImportCase,
  action: string,
  publication: object,
  mark: string | null,
];

const ROWS: readonly Row[] = [
  ['what is new is created', caseOf('-', '-', 'new May'), 'create', MAY, 'new May'],
  ['new without a date is a draft', caseOf('-', '-', 'new'), 'create', DRAFT, 'new'],
  ['or published when told so', caseOf('-', '-', 'new', 'published-at'), 'create', AT_OPTION, 'new'],
  [
    'the date in the source counts more',
    caseOf('-', '-', 'new May', 'published-at'),
    'create',
    MAY,
    'new May',
  ],
  [
    'the draft state in the source counts more',
    caseOf('-', '-', 'new draft', 'published-at'),
    'create',
    DRAFT,
    'new draft',
  ],

  ['equal and marked is left', caseOf('old May', 'old May', 'old May'), 'leave', MAY, null],
  ['equal without a mark gets one', caseOf('old May', '-', 'old May'), 'leave', MAY, 'old May'],
  ['edited to equal the source', caseOf('new May', 'old May', 'new May'), 'leave', MAY, 'new May'],
  ['equal, and now with a date', caseOf('old May', 'old', 'old May'), 'leave', MAY, 'old May'],

  ['other words in the source', caseOf('old May', 'old May', 'new May'), 'change', MAY, 'new May'],
  ['another date in the source', caseOf('old May', 'old May', 'old June'), 'change', JUNE, 'old June'],
  ['a draft that was released', caseOf('old draft', 'old draft', 'old May'), 'change', MAY, 'old May'],
  [
    'withdrawn in the source',
    caseOf('old May', 'old May', 'old draft'),
    'change',
    WITHDRAWN,
    'old withdrawn',
  ],
  [
    'still withdrawn in the source',
    caseOf('old withdrawn', 'old withdrawn', 'old draft'),
    'leave',
    WITHDRAWN,
    null,
  ],
  ['a date for what had none', caseOf('old draft', 'old', 'old May'), 'change', MAY, 'old May'],

  ['edited words are kept', caseOf('mine May', 'old May', 'new May'), 'keep', MAY, null],
  [
    'edited words are kept if the source has not changed',
    caseOf('mine May', 'old May', 'old May'),
    'keep',
    MAY,
    null,
  ],
  ['never imported, and different', caseOf('mine May', '-', 'new May'), 'keep', MAY, null],
  ['an edited date is kept', caseOf('old June', 'old May', 'old May'), 'keep', MAY, null],
  ['unpublished by hand', caseOf('old withdrawn', 'old May', 'old May'), 'keep', MAY, null],
  ['overwritten by force', caseOf('mine June', 'old May', 'new May', 'force'), 'change', MAY, 'new May'],
  [
    'back to the last import by force',
    caseOf('mine May', 'old May', 'old May', 'force'),
    'change',
    MAY,
    null,
  ],

  ['a source without a date keeps the stored one', caseOf('old May', 'old', 'old'), 'leave', MAY, null],
  ['publishing by hand does not count as an edit', caseOf('old June', 'old', 'new'), 'change', JUNE, 'new'],
  ['a date that an import knew stays known', caseOf('old May', 'old May', 'new'), 'change', MAY, 'new May'],
  [
    'never published, until --published-at',
    caseOf('old draft', 'old', 'old', 'published-at'),
    'change',
    AT_OPTION,
    null,
  ],
  [
    'unpublished by hand is not published again',
    caseOf('old withdrawn', 'old', 'old', 'published-at'),
    'leave',
    WITHDRAWN,
    null,
  ],
  ['a date in the future', caseOf('-', '-', 'new August'), 'create', FOR_AUGUST, 'new August'],
  ['scheduled for its date', caseOf('old scheduled', 'old August', 'old August'), 'leave', FOR_AUGUST, null],
  [
    'published on schedule, by a clock that is ahead',
    caseOf('old August', 'old August', 'old August'),
    'leave',
    AUGUST,
    null,
  ],
  [
    'a date that moved into the future',
    caseOf('old May', 'old May', 'old August'),
    'change',
    scheduled(AUGUST.publishedAt as string, MAY.publishedAt),
    'old August',
  ],
  [
    'a date that moved into the past',
    caseOf('old scheduled', 'old August', 'old May'),
    'change',
    MAY,
    'old May',
  ],
  [
    'a date that was taken out',
    caseOf('old scheduled', 'old August', 'old draft'),
    'change',
    DRAFT,
    'old draft',
  ],
  [
    'a draft that a person scheduled',
    caseOf('old scheduled', 'old draft', 'new draft'),
    'change',
    FOR_AUGUST,
    'new draft',
  ],
  [
    'a time that a person chose for that day',
    caseOf('old evening', 'old draft', 'new August'),
    'change',
    scheduled(AUGUST_EVENING),
    'new evening',
  ],
  ['unscheduled by hand', caseOf('old draft', 'old August', 'old August'), 'keep', FOR_AUGUST, null],
  ['edited words without a date', caseOf('mine May', 'old', 'new'), 'keep', MAY, null],
  [
    'edited words are not published either',
    caseOf('mine draft', 'old', 'new', 'published-at'),
    'keep',
    AT_OPTION,
    null,
  ],
];

describe('the decision of an import about a version', () => {
  for (const [what, given, action, publication, mark] of ROWS) {
    it(`an import decides ${action}: ${what}`, () => {
      assert.deepEqual(decideImport(given), {
        action,
        publication: { publishAt: null, ...publication },
        mark: mark === null ? null : statement(mark),
      });
    });
  }

  it('a version published without a date gets the time of the import', () => {
    const source = { content: 'new', publication: { status: 'published', publishedAt: null } as const };
    const { publication } = decideImport({ ...caseOf('-', '-', 'new'), source });
    assert.deepEqual(publication, { status: 'published', publishedAt: NOW, publishAt: null });
  });
});

describe('any import decision', () => {
  const publications = ['draft', 'May', 'June', 'withdrawn', 'August'];
  const states = ['old', 'new', 'mine'].flatMap((content) =>
    publications.map((name) => `${content} ${name}`),
  );
  const statements = [...states, 'old', 'new', 'mine'];
  const inDatabase = [...states, 'old scheduled', 'new scheduled', 'mine scheduled', 'old evening'];
  const flags = ['', 'force', 'published-at', 'force published-at'];
  const cases = [...inDatabase, '-'].flatMap((stored) =>
    [...(stored === '-' ? [] : statements), '-'].flatMap((mark) =>
      statements.flatMap((source) => flags.map((given) => caseOf(stored, mark, source, given))),
    ),
  );
  const each = (check: (given: ImportCase, decision: ImportDecision) => void) => {
    assert.ok(cases.length > 10_000);
    for (const given of cases) check(given, decideImport(given));
  };

  it('repeating an import changes nothing', () => {
    each((given, decision) => {
      const { action, publication, mark } = decision;
      const stored = action === 'keep' ? given.stored : { content: given.source.content, publication };
      const again = decideImport({ ...given, stored, mark: mark ?? given.mark });
      assert.equal(again.action, action === 'keep' ? 'keep' : 'leave', JSON.stringify(given));
      assert.equal(again.mark, null);
    });
  });

  it('only a forced import overwrites edited versions', () => {
    each(({ stored, mark, source, force }, { action }) => {
      if (force) assert.notEqual(action, 'keep');
      else if (action === 'change' && stored?.content !== source.content)
        assert.equal(stored?.content, mark?.content);
    });
  });

  it('a source without dates changes no date and publishes nothing by itself', () => {
    each(({ stored, source, publishedAt }, { publication }) => {
      if (source.publication !== null) return;
      if (stored !== null && (stored.publication.publishedAt !== null || publishedAt === null))
        assert.equal(write(publication), write(stored.publication));
      else assert.equal(write(publication), write(publishedAt === null ? DRAFT : (AT_OPTION as typeof MAY)));
    });
  });
});

describe('a version that is no longer in the source', () => {
  const decide = (stored: string, mark: string, flags: string) =>
    decideRemoved({
      stored: storedState(stored),
      mark: statement(mark),
      prune: flags.includes('prune'),
      force: flags.includes('force'),
    });

  it('a version that left the source is kept by default', () => {
    for (const flags of ['', 'force']) {
      assert.equal(decide('old May', 'old May', flags), 'keep');
      assert.equal(decide('mine May', 'old May', flags), 'keep');
    }
  });

  it('an unedited version that left the source is pruned on request', () => {
    assert.equal(decide('old May', 'old May', 'prune'), 'delete');
    assert.equal(decide('old May', 'old', 'prune'), 'delete');
  });

  it('an edited version that left the source is pruned only by force', () => {
    for (const stored of ['mine May', 'old June', 'old withdrawn']) {
      assert.equal(decide(stored, 'old May', 'prune'), 'keep-edited');
      assert.equal(decide(stored, 'old May', 'prune force'), 'delete');
    }
  });
});
