import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { writeErrorPage, writeFormErrorPage } from '../../../src/present/pages/error-page.ts';
import { ENGLISH } from '../../../src/present/words/locale.ts';
import { rangeForm, SITE } from './sample.ts';

describe('error pages', () => {
  it('link to the home page only if there is one, from any depth', () => {
    const page = writeErrorPage(SITE, 'not_found');
    assert.match(page, /<a class="brand" href="https:\/\/changes\.example\.com\/">/);
    assert.match(page, /<a class="button" href="https:\/\/changes\.example\.com\/">All products</);
    const alone = writeErrorPage({ ...SITE, hasHomePage: false }, 'not_found');
    assert.equal(alone.includes('<a class="b'), false);
    assert.match(alone, /<span class="brand">.*changes\.example\.com<\/bdi><\/span>/);
    assert.match(page, /noindex, follow/);
    assert.equal(page.includes('canonical'), false);
  });

  it('offer to load the page again where that may help', () => {
    const reload = '<a class="button" href="">Reload this page</a>';
    const limited = writeErrorPage(SITE, 'rate_limited');
    assert.equal(limited.includes(reload), true);
    assert.equal(writeErrorPage(SITE, 'not_found').includes(reload), false);
  });

  it('have no name where their URL is not known, as in a folder of files', () => {
    const links = { ...SITE.links, isAbsolute: false };
    const page = writeErrorPage({ ...SITE, baseUrl: '', links, isStatic: true }, 'not_found');
    assert.equal(page.includes('<header'), false);
    assert.equal(page.includes('<nav'), false);
  });

  it('show a form as filled in, with a message at each invalid field', () => {
    const problems = {
      since: () => 'Must be a date.',
      type: () => 'Must be a type.',
      cursor: () => 'Not valid here.',
    };
    const values = { q: ['launch'], since: ['yesterday'], type: ['fixed'] };
    const html = writeFormErrorPage(SITE, ENGLISH, 'changelog', { values, problems });
    assert.match(html, /value="launch"/);
    assert.match(
      html,
      /type="text" id="since" name="since" value="yesterday" aria-invalid="true" aria-describedby="since-problem">/,
    );
    assert.match(html, /<p class="problem" id="since-problem">Must be a date\.<\/p>/);
    assert.match(html, /<fieldset class="wide" aria-describedby="type-problem">/);
    assert.match(html, /<li><a href="#since">Published since: Must be a date\.<\/a><\/li>/);
    assert.match(html, /<li><a href="#type">Types of changes: Must be a type\.<\/a><\/li>/);
    assert.match(html, /<li>Not valid here\.<\/li>/);
    assert.match(html, /value="fixed" checked>/);
    assert.match(html, /<details open>/);
    assert.equal(html.includes('action='), false);
    assert.match(html, /<div class="note" role="alert" tabindex="-1" autofocus>/);
    assert.match(html, /<a class="button" href="\?">All versions<\/a>/);
  });

  it('show the form that compares versions', () => {
    const form = { ...rangeForm('one', ''), problems: { from: () => 'Must be a version.' } };
    const html = writeFormErrorPage(SITE, ENGLISH, 'changes', form);
    assert.match(html, /id="from" name="from" value="one" aria-invalid="true"/);
    assert.equal(html.includes('name="q"'), false);
    assert.match(html, /<a class="button" href="\?">All changes<\/a>/);
  });
});
