import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { asciidocToMarkdown } from '../../../src/import/markup/asciidoc.ts';
import { surveyText } from '../../../src/import/markup/survey.ts';
import { read } from './helpers.ts';

const convert = (text: string) => {
  const lines = text.split('\n');
  return [...asciidocToMarkdown(lines, surveyText(lines))].join('\n');
};

const CHANGELOG = `= Rocket Changelog
:url: https://x.example
ifndef::icons[]
:star: &#9733;
endif::[]

// a comment
== 2.0.0 (2026-05-04)

Enhancements::

  * Add a {url}/countdown[countdown] (*@ada*)
  ** Which is nested
  * Second

Bug Fixes::

* Fix the fuse

[[v1]]
== 1.0.0 (2025-01-01)

=== Fixed

* The pad
+
[source,ruby]
----
launch
----
`;

describe('a changelog in AsciiDoc', () => {
  it('titles are versions, terms before lists are sections, and nothing of the settings is shown', () => {
    const { markup, labels, lines, days, changes, types, descriptions } = read('CHANGELOG.adoc', CHANGELOG);
    assert.equal(markup, 'asciidoc');
    assert.deepEqual(
      [labels, lines],
      [
        ['2.0.0', '1.0.0'],
        [8, 21],
      ],
    );
    assert.deepEqual(days, ['2026-05-04', '2025-01-01']);
    assert.match(
      String(changes[0]?.[0]),
      /\[countdown\]\(https:\/\/x\.example\/countdown\) \(\*\*@ada\*\*\)\n\* Which/,
    );
    assert.match(String(changes[0]), /Second,.*Fix the fuse/);
    assert.deepEqual(changes[1], ['The pad\n\n\n```ruby\nlaunch\n```']);
    assert.deepEqual(types[1], ['fixed']);
    assert.doesNotMatch(JSON.stringify([changes, descriptions]), /9733|comment|v1|source/);
  });

  it('is recognised without a name', () => {
    assert.equal(read('standard input', CHANGELOG).markup, 'asciidoc');
  });

  it('inline markup, blocks and what is not understood', () => {
    assert.equal(
      convert(`A *bold* word, _stress_, \`code\`, \`+{x}+\`, link:https://x.example[\`the\` site^], https://x.example[],
<<id,there>>, xref:page.adoc#id[here], issue:12[], footnote:[Below.], icon:star[], <b> and {unknown}.

NOTE: Mind the gap.

.Title
|===
|a |b
|===

====
In an example.
====

////
hidden
////

include::other.adoc[]

. One
.. Two
. Three

'''

  literal text`),
      `A **bold** word, _stress_, \`code\`, \`{x}\`, [\`the\` site](https://x.example), [https://x.example](https://x.example),
there, here, #12,  (Below.), , \\<b> and {unknown}.

**Note:** Mind the gap.

**Title**
\`\`\`
|a |b
\`\`\`


In an example.






\`include::other.adoc[]\`

1. One
   1. Two
1. Three



      literal text`,
    );
  });
});
