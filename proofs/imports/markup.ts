// The text of a changelog in another markup than Markdown, without what only the markup means.

const REMOVED: Readonly<Record<string, readonly (readonly [RegExp, string])[]>> = {
  rst: [
    // Comments, labels and settings.
    [/^([ \t]*)\.\.(?:[ \t]+(?!\S+::)[^\n]*)?(?:\n+\1[ \t]+[^\n]*)*$/gm, ''],
    [/^\s*\.\. (?:change|contents|include|currentmodule|module|highlight|towncrier-\S+|toctree)::.*$/gm, ''],
    [/^\s*\.\. [\w:-]+::/gm, ''],
    [/^\s*:[\w -]+:(?=\s|$)/gm, ''],
    [/:[\w:+.-]+:`[~.][\w.]*?(\w+(?:\(\))?)`/g, '$1'],
    [/:[\w:+.-]+:`!?([^`<]*?)\s*(?:<[^<>]*>)?`/g, '$1'],
    [/`([^`<]*?)\s*<[^<>]*>`__?/g, '$1'],
    [/\|(\w+)\|/g, ' '],
  ],
  asciidoc: [
    [/^(\/{4,})\n[\s\S]*?^\1$/gm, ''],
    [/^\/\/.*$/gm, ''],
    [/^:!?[\w-]+!?:.*$/gm, ''],
    [/^\[\[?[^[\]\n]*\]\]?$/gm, ''],
    [/^(?:ifdef|ifndef|ifeval|endif|include|toc)::.*$/gm, ''],
    [/(?:\b(?:link|xref):|(?=https?:)|\{[\w-]+\})[^\s[\]]*\[([^[\]]*)\]/g, ' $1 '],
    [/\{[\w-]+\}|\b[a-z]\w*:(?=\w*\[)/gi, ' '],
    [/<<[^<>,]*,?([^<>]*)>>/g, '$1'],
  ],
  debian: [
    [/^[^\s()]+ \(([^()\s]+)\)[^\n]*$/gm, '$1'],
    [/^ -- .*$|^ +\[ .* \]$/gm, ''],
  ],
  rpm: [
    [/^[\s\S]*^%changelog$|^#.*$/gm, ''],
    [/^\* \w{3}.*$/gm, ''],
  ],
  suse: [[/^\w{3} .* - .*$/gm, '']],
  org: [
    [/\[\[[^[\]]*\]\[([^[\]]*)\]\]/g, '$1'],
    [/^\s*#.*$|^\s*:\w+:$/gm, ''],
  ],
  rdoc: [
    // Of the readme of a WordPress plugin, only one chapter is read.
    [/^===[^=]+===$[\s\S]*?^== *changelog *==$|^== *upgrade notice *==$[\s\S]*/gim, ''],
    [/\{([^{}]*)\}\[[^[\]]*\]/g, '$1'],
    [/<\/?(?:tt|code|b|em|i)>/g, ' '],
  ],
};

export function isConverted(format: string): boolean {
  return Object.hasOwn(REMOVED, format);
}

export function withoutMarkup(format: string, text: string): string {
  return (REMOVED[format] ?? []).reduce(
    (rest, [pattern, replacement]) => rest.replaceAll(pattern, replacement),
    text,
  );
}
