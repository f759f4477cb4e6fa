import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import MarkdownIt from 'markdown-it';
import { linkBareUrl } from '../../../src/present/html/bare-urls.ts';
import { createParser } from '../../../src/present/html/parser.ts';
import { PAYLOADS } from '../../../support/content/xss-payloads.ts';

describe('the parser', () => {
  it('tokens have the fields, values and methods that markdown-it gives them', () => {
    const ours = createParser(40);
    const theirs = new MarkdownIt({ html: false, linkify: false, maxNesting: 40 });
    theirs.inline.ruler.at('linkify', linkBareUrl);
    const blocks =
      '# *a*\n> **b** ~~c~~\n\n3. `d`\n\n|e|\n|:-|\n|[f](g "h")|\n\n```i\nj\n```\n![k](l)  \n<m:n>\n***\n[o]: p';
    for (const text of [blocks, ...PAYLOADS]) {
      const [found, expected] = [ours.parse(text, {}), theirs.parse(text, {})];
      assert.deepEqual(JSON.parse(JSON.stringify(found)), JSON.parse(JSON.stringify(expected)));
    }
    const [[token], [expected]] = [ours.parse('3. a', {}), theirs.parse('3. a', {})];
    assert.deepEqual(Object.keys(token ?? {}).sort(), Object.keys(expected ?? {}).sort());
    assert.equal(token?.attrGet('start'), 3);
  });
});
