import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { NotedVersion } from '../../../src/present/notes/form.ts';
import { writeNotesHtml } from '../../../src/present/notes/html.ts';
import { renderAtOnce } from '../../../src/text/parse.ts';
import { TEXT_HEAD } from '../../../support/content/texts.ts';
import { change, noted } from './sample.ts';

const write = (fields: Partial<NotedVersion>, language = 'en') =>
  writeNotesHtml(noted(fields), { ...TEXT_HEAD, language }, renderAtOnce);

describe('release notes as HTML', () => {
  it('they have the description, then sections, breaking changes first', async () => {
    const html = await write({
      description: 'Optional *Markdown*.',
      changes: [
        change('other', 'One.'),
        change('added', 'Two.'),
        change('removed', 'Three. <b>x</b>', 1),
        change('changed', '- Four.', 1),
        change('added', 'Five.'),
      ],
    });
    assert.equal(
      html,
      [
        '<p>Optional <em>Markdown</em>.</p>',
        '<h3>Breaking changes</h3>\n<ul>',
        '<li><p><strong>Removed:</strong> Three. <b>x</b></p></li>',
        '<li><p><strong>Changed:</strong></p>\n<ul>\n<li>Four.</li>\n</ul></li>\n</ul>',
        '<h3>Added</h3>\n<ul>\n<li><p>Two.</p></li>\n<li><p>Five.</p></li>\n</ul>',
        '<h3>Other</h3>\n<ul>\n<li><p>One.</p></li>\n</ul>',
      ].join('\n'),
    );
  });

  it('they have the words and the colon of the language, and English ones where there are none', async () => {
    const changes = [change('removed', 'A', 1)];
    const itemIn = async (language: string) =>
      /<h3.*?<\/strong>/s.exec(await write({ changes }, language))?.[0];
    const start = '\n<ul>\n<li><p>';
    assert.equal(
      await itemIn('fr'),
      `<h3>Ruptures de compatibilité</h3>${start}<strong>Supprimé\u202f:</strong>`,
    );
    assert.match((await itemIn('he')) ?? '', /:<\/strong>$/);
    const marked = `<h3 lang="en">Breaking changes</h3>${start}<strong lang="en">Removed:</strong>`;
    assert.equal(await itemIn('fi'), marked);
  });

  it('those of a yanked version start with that fact', async () => {
    assert.match(await write({ yanked: 1, description: 'x' }), /^<p><strong>Yanked:<\/strong>/);
    assert.doesNotMatch(await write({ description: 'x' }), /Yanked/);
  });

  it('those of a version without description and changes are empty', async () => {
    assert.equal(await write({}), '');
  });
});
