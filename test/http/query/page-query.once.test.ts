import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FEED_PARAMETERS, FormError, parseQuery } from '../../../src/http/query.ts';
import { writeFormErrorPage } from '../../../src/present/pages/error-page.ts';
import { ENGLISH, LANGUAGES, localeFor } from '../../../src/present/words/locale.ts';
import { SITE } from '../../present/pages/sample.ts';

const parse = (query: string) =>
  parseQuery(`/changelog/acme/rocket${query}`, FEED_PARAMETERS, { isForm: true });

function formErrorOf(query: string): FormError {
  try {
    parse(query);
  } catch (error) {
    assert.ok(error instanceof FormError);
    return error;
  }
  assert.fail(`${query} is valid`);
}

describe('the query of a page (R41)', () => {
  it('equals that of the API if every field has a value', () => {
    const query = '?since=2025-01-01&until=2026-01-01&from=1.0.0&to=2.1.0&type=added&prerelease=false&q=fast';
    assert.deepEqual(parse(query), parseQuery(query, FEED_PARAMETERS));
  });

  it('an empty field is absent, and so is one with only spaces', () => {
    for (const query of ['', '?', '?q=', '?q=&from=&to=&since=&until=&type=', '?q=+++&cursor=', '?other=1'])
      assert.deepEqual(parse(query), parse(''), query);
  });

  it('outer spaces are trimmed', () => {
    assert.deepEqual(parse('?from=+1.0.0+&q=+two+words+'), parse('?from=1.0.0&q=two+words'));
  });

  it('the form shows the values, and the text it is cached by contains them', () => {
    const { form, text } = parse('?type=fixed&q=Fast+LAUNCHES&type=added&since=2025-01-01&other=1');
    assert.deepEqual(form.values, {
      since: ['2025-01-01'],
      type: ['added', 'fixed'],
      q: ['Fast LAUNCHES'],
    });
    assert.equal(text, '?since=2025-01-01&type=added&type=fixed&q=Fast+LAUNCHES');
  });

  it('other spellings of lists and booleans give the same page', () => {
    const page = parse('?type=added&type=fixed&prerelease=false');
    assert.deepEqual(parse('?type=fixed,added&prerelease=0'), page);
    assert.deepEqual(parse('?prerelease=False&type[]=added,fixed'), page);
    assert.deepEqual(page.form.values.type, ['added', 'fixed']);
    assert.deepEqual(page.form.values.prerelease, ['false']);
  });

  it('every problem is shown next to its field, however many there are', () => {
    const { form } = formErrorOf('?since=yesterday&until=2026-02-30&from=one&q=fine&type=nice&limit=0');
    assert.deepEqual(Object.keys(form.problems).sort(), ['from', 'limit', 'since', 'type', 'until']);
    assert.equal(form.problems.from?.(ENGLISH), 'Enter a semantic version, such as 1.4.0.');
    assert.match(form.problems.type?.(ENGLISH) as string, /^Choose Added, Changed, .* or Other\.$/);
    assert.deepEqual(form.values.since, ['yesterday']);
    assert.deepEqual(form.values.q, ['fine']);
    assert.equal(form.values.type, undefined);
  });

  it('the example of a time is in one piece and from left to right, in every language', () => {
    const { form } = formErrorOf('?since=yesterday');
    for (const language of LANGUAGES) {
      const page = writeFormErrorPage(SITE, localeFor(language), 'changelog', form);
      assert.equal(page.split('<bdi dir="ltr">2026-05-04T09:00:00Z</bdi>').length - 1, 2, language);
    }
  });

  it('each value that the API rejects is a problem here', () => {
    const bad: Record<keyof typeof FEED_PARAMETERS, string> = {
      limit: '101',
      cursor: '*',
      since: 'x',
      until: 'x',
      from: 'x',
      to: 'x',
      type: 'x',
      breaking: 'x',
      prerelease: 'x',
      q: 'x'.repeat(501),
      include: 'x',
    };
    for (const [name, value] of Object.entries(bad))
      assert.deepEqual(Object.keys(formErrorOf(`?${name}=${value}`).form.problems), [name]);
  });
});
