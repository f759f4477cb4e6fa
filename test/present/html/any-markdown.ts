import fc from 'fast-check';

const PIECES = [
  ...[
    '# ',
    '## ',
    '#### ',
    '\n',
    '\n\n',
    '- ',
    '3. ',
    '> ',
    '    ',
    '```\n',
    '---',
    '  \n',
    '*',
    '**',
    '`',
    '~~',
  ],
  ...[
    '[',
    '](',
    ')',
    '![',
    ' "a title"',
    '](x)',
    '](../y.md?a=1&b=2#c)',
    '](https://a.example/z)',
    '](//b.example)',
  ],
  ...[
    '](mailto:a@b.example)',
    '](javascript:alert(1))',
    '](#part)',
    '](?q)',
    '](http:x)',
    '](<>)',
    '](\\\\b.example)',
  ],
  ...[
    '](&#1;javascript:alert(1))',
    '](java&#10;script:x)',
    '](data:text/html,x)',
    '](./javascript:x)',
    '](:x)',
  ],
  ...[
    '![](p.png)',
    '![alt](https://a.example/p.png)',
    '[![](p.png)](q)',
    '|a|b|\n|:-|-:|\n|1||\n',
    '|',
    '<http://a.b>',
    'https://a.example/b',
  ],
  ...[
    '<a href="x" onclick=y>',
    '<img src="x">',
    '<h1>',
    '</pre>',
    '"',
    "'",
    '&',
    '&quot;',
    '<',
    '>',
    '&nbsp;',
    '&#8203;',
  ],
  ...['word', ' ', '\u202e', '\0', '\ud800', '🚀', '$&', '$1'],
];

/** Markdown with many links, images, tables and headings, most of it odd. */
export function anyMarkdown(): fc.Arbitrary<string> {
  return fc.array(fc.constantFrom(...PIECES), { maxLength: 25 }).map((pieces) => pieces.join(''));
}
