// Texts that authors could have written, most of them odd.
import fc from 'fast-check';

const MARKDOWN = [
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

/** Kept or not, and some that a browser reads in a way of its own. */
const TAGS = [
  ...[
    'b',
    'strong',
    'i',
    'em',
    's',
    'del',
    'ins',
    'mark',
    'small',
    'sub',
    'sup',
    'kbd',
    'samp',
    'var',
    'abbr',
  ],
  ...['code', 'pre', 'p', 'blockquote', 'hr', 'br', 'ul', 'ol', 'li', 'dl', 'dt', 'dd', 'h1', 'h3', 'h6'],
  ...[
    'table',
    'caption',
    'colgroup',
    'col',
    'thead',
    'tbody',
    'tfoot',
    'tr',
    'th',
    'td',
    'details',
    'summary',
  ],
  ...[
    'a',
    'img',
    'picture',
    'source',
    'video',
    'div',
    'span',
    'script',
    'style',
    'title',
    'textarea',
    'template',
  ],
  ...[
    'svg',
    'math',
    'mglyph',
    'foreignObject',
    'select',
    'option',
    'form',
    'button',
    'noscript',
    'iframe',
    'font',
  ],
  ...[
    'plaintext',
    'xmp',
    'nobr',
    'frameset',
    'html',
    'head',
    'body',
    'base',
    'link',
    'meta',
    'image',
    'x-y',
    'T',
  ],
];
const ATTRIBUTES = [
  ...[
    '',
    '',
    '',
    ' href="x"',
    ' href=https://a.example',
    " href='javascript:alert(1)'",
    ' href',
    ' src=x.png',
  ],
  ...[' src="https://a.example/p.png" alt="a<b" width=10 height="5px"', ' src=//b.example', ' width=1e5'],
  ...[' open', ' onclick="alert(1)"', ' style="x"', ' class=x id=y', ' alt="', " title='>", '/', ' a=`b'],
  ...[' xmlns="<b>"', ' href="a\nb"', ' align=left start=3'],
];
const ENDS = ['>', '>', '>', '/>', '>\n', '>\n\n', ''];
const AROUND = [
  ...[
    '<!-- c -->',
    '<!--',
    '-->',
    '<![CDATA[',
    ']]>',
    '<?x',
    '<!A',
    '</',
    '&lt;b&gt;',
    '&#13;',
    '&#0;',
    '\f',
  ],
  ...['> [!NOTE]\n', '> [!tip]\n> ', '- [ ] ', '- [x] a\n', '[x] ', '\\\n', '\r\n', '[a]: b\n\n', '[a]'],
];

/** Markdown with many links, images, tables and headings. */
export function anyMarkdown(): fc.Arbitrary<string> {
  return join(fc.constantFrom(...MARKDOWN), 25);
}

/** Tags, most of them misnested or without an end, in Markdown. */
export function anyHtml(): fc.Arbitrary<string> {
  const tag = fc.constantFrom(...TAGS);
  const start = fc
    .tuple(tag, fc.constantFrom(...ATTRIBUTES), fc.constantFrom(...ENDS))
    .map(([name, attributes, end]) => `<${name}${attributes}${end}`);
  return join(
    fc.oneof(
      { weight: 5, arbitrary: start },
      { weight: 3, arbitrary: tag.map((name) => `</${name}>`) },
      { weight: 3, arbitrary: fc.constantFrom(...AROUND, ...MARKDOWN) },
    ),
    20,
  );
}

const join = (piece: fc.Arbitrary<string>, maxLength: number) =>
  fc.array(piece, { maxLength }).map((pieces) => pieces.join(''));
