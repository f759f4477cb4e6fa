import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Refusal } from '../../../src/errors.ts';
import { readChangelog } from '../../../src/import/read.ts';
import { rowOf } from '../../../src/present/changelog.ts';
import { countCharacters, cutNotes } from '../../../src/present/notes/cut.ts';
import type { NotedVersion } from '../../../src/present/notes/form.ts';
import { writeNotesText } from '../../../src/present/notes/text.ts';
import { renderAtOnce } from '../../../src/text/parse.ts';
import { TEXT_HEAD } from '../../../support/content/texts.ts';
import { change, noted } from './sample.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const URL = 'https://rocket.example/changes';
const write = (version: NotedVersion) => writeNotesText(version, TEXT_HEAD, renderAtOnce);

const VERSION = noted({
  description: 'Launches are faster.\n\nMuch faster:\n\n- to the moon\n- to Mars',
  changes: [
    change('added', 'A countdown.'),
    change('fixed', 'The fuse burns evenly.'),
    change('security', 'Tokens are masked.'),
    change('removed', 'The old fuse.', 1),
  ],
});

async function cut(version: NotedVersion, charactersMax: number, url: string | null = null): Promise<string> {
  return await cutNotes([version], renderAtOnce, { charactersMax, url }, await write(version));
}

describe('notes cut to a length', () => {
  it('notes that fit are those of notes.txt', async () => {
    const whole = await write(VERSION);
    assert.equal(await cut(VERSION, countCharacters(whole), URL), whole);
    assert.notEqual(await cut(VERSION, countCharacters(whole) - 1), whole);
  });

  it('breaking changes and security fixes come first, then the description, then the others', async () => {
    const first = 'Breaking changes\n- Removed: The old fuse.\n\nSecurity\n- Tokens are masked.\n';
    assert.equal(await cut(VERSION, 90), `${first}\n… and 2 more\n`);
    assert.equal(await cut(VERSION, 112), `${first}\nLaunches are faster.\n\n… and 2 more\n`);
    assert.equal(
      await cut(VERSION, 155, URL),
      `${first}\nLaunches are faster.\n\nMuch faster:\n\n… and 2 more: ${URL}\n`,
    );
    assert.equal(
      await cut(VERSION, 180),
      `${first}\nLaunches are faster.\n\nMuch faster:\n\n- to the moon\n- to Mars\n\nAdded\n- A countdown.\n\n… and 1 more\n`,
    );
  });

  it('shows nothing else while a security fix is left out', async () => {
    assert.equal(await cut(VERSION, 62), 'Breaking changes\n- Removed: The old fuse.\n\n… and 3 more\n');
  });

  it('a description that does not fit is left out, also of what is counted', async () => {
    const long = noted({
      description: 'x'.repeat(100),
      changes: [change('added', 'A'), change('fixed', 'B')],
    });
    assert.equal(await cut(long, 30), 'Added\n- A\n\n… and 1 more\n');
    assert.equal(await cut(long, 40), 'Added\n- A\n\nFixed\n- B\n\n… and more\n');
  });

  it('a yanked version says so first', async () => {
    const yanked = { ...VERSION, yanked: 1 } as const;
    assert.match(await cut(yanked, 120), /^Yanked: withdrawn after its release\.\n\nBreaking changes\n/);
  });

  it('counts characters, not bytes or units of UTF-16', async () => {
    const rockets = noted({ changes: [change('added', '🚀🚀🚀🚀🚀🚀🚀🚀'), change('fixed', 'xxxxx')] });
    assert.equal(await cut(rockets, 31), 'Added\n- 🚀🚀🚀🚀🚀🚀🚀🚀\n\n… and 1 more\n');
  });

  it('fails with the first change if not even that fits', async () => {
    await assert.rejects(cut(VERSION, 40), {
      name: 'Refusal',
      message:
        'the first change needs 56 characters, but the limit is 40: "Removed: The old fuse."; shorten it.',
    });
    const described = noted({ description: 'Only a description.' });
    await assert.rejects(cut(described, 10), /^Refusal: the first paragraph needs .*"Only a description\."/);
  });

  it('of a first change that is too long, whole paragraphs and items are shown', async () => {
    const text = `Launches can be paused.\n\n- look\n- skip\n\n${'x'.repeat(100)}`;
    const long = noted({ changes: [change('added', text), change('fixed', 'B')] });
    const start = 'Added\n- Launches can be paused.\n';
    assert.equal(await cut(long, 50), `${start}\n… and 1 more\n`);
    assert.equal(await cut(long, 60), `${start}\n  - look\n\n… and 1 more\n`);
    assert.equal(await cut(noted({ changes: [change('added', text)] }), 50), `${start}\n… and more\n`);
    await assert.rejects(cut(long, 40), Refusal);
  });

  it('several versions become one list of changes, without descriptions', async () => {
    const versions = [
      noted({ description: 'New.', changes: [change('added', 'A')] }),
      noted({ description: 'Old.', changes: [change('security', 'B'), change('added', 'C')] }),
    ];
    const options = { charactersMax: 40, url: null };
    assert.equal(
      await cutNotes(versions, renderAtOnce, options, 'x'.repeat(41)),
      'Security\n- B\n\nAdded\n- A\n- C\n',
    );
    const described = versions.map(({ description }) => noted({ description }));
    assert.equal(await cutNotes(described, renderAtOnce, options, 'x'.repeat(41)), 'New.\n\nOld.\n');
  });
});

describe('notes cut to any length', () => {
  const FILES = [...globSync('proofs/imports/samples/*', { cwd: ROOT }), 'CHANGELOG.md'];
  const real = FILES.flatMap((name) => {
    const bytes = readFileSync(path.join(ROOT, name));
    return readChangelog({ name, bytes }, { format: 'auto', merging: true }).versions;
  }).map(({ content }) => rowOf(content));

  it('real notes are never longer, never empty, and have whole lines of the whole notes', async () => {
    assert.ok(real.length > 30, String(real.length));
    for (const version of real) {
      const whole = await write(version);
      const lines = new Set(whole.split('\n'));
      for (const charactersMax of [30, 80, 160, 300, 500, 1_000, 4_000]) {
        const text = await cut(version, charactersMax, charactersMax % 3 === 0 ? URL : null).catch(
          (error) => {
            const [, needed = ''] = /needs ([\d,]+) characters/.exec(String(error)) ?? [];
            assert.ok(Number(needed.replaceAll(',', '')) > charactersMax, String(error));
            return null;
          },
        );
        if (text === null || whole === '') continue;
        assert.ok(countCharacters(text) <= charactersMax && text.trim() !== '');
        const [last = '', ...others] = text.trimEnd().split('\n').reverse();
        assert.ok(text === whole || /^… and (?:[\d,]+ )?more(?:: \S+)?$/.test(last), text);
        if (text !== whole) for (const line of others) assert.ok(lines.has(line), line);
      }
    }
  });

  it('the number of changes shown and left out is the number of changes', async () => {
    const changes = fc.array(
      fc.record({
        type: fc.constantFrom('added', 'fixed', 'security', 'other'),
        words: fc.integer({ min: 1, max: 12 }),
        breaking: fc.constantFrom<0 | 1>(0, 1),
      }),
      { minLength: 1, maxLength: 40 },
    );
    await fc.assert(
      fc.asyncProperty(changes, fc.integer({ min: 60, max: 900 }), async (drawn, charactersMax) => {
        const version = noted({
          changes: drawn.map(({ type, words, breaking }) =>
            change(type, 'word '.repeat(words).trim(), breaking),
          ),
        });
        const text = await cut(version, charactersMax).catch((error) => {
          assert.ok(error instanceof Refusal);
          return null;
        });
        if (text === null) return;
        const shown = text.split('\n').filter((line) => line.startsWith('- ')).length;
        const left = Number(/… and (\d+) more/.exec(text)?.[1] ?? 0);
        assert.equal(shown + left, drawn.length);
        const mustNotMiss = drawn.filter(({ type, breaking }) => breaking || type === 'security').length;
        if (shown < mustNotMiss) assert.doesNotMatch(text, /^(?:Added|Fixed|Other)$/m);
      }),
      { numRuns: 200 },
    );
  });
});
