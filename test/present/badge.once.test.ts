import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { contrast } from '../../src/domain/accent.ts';
import { presentBadge, writeBadgeSvg } from '../../src/present/badge.ts';
import { unicodeText } from '../support/unicode-text.ts';

const CONTRAST_MIN = 4.5;
const colour = fc.stringMatching(/^#[0-9a-f]{6}$/);
const words = unicodeText({ minLength: 1, maxLength: 130 });
const badge = fc.record({
  latest: fc.option(fc.record({ label: words, isYanked: fc.boolean() })),
  accent: fc.option(colour),
  label: fc.option(words, { nil: undefined }),
});

const svgOf = ({
  latest,
  accent,
  label,
}: Readonly<{
  latest: Readonly<{ label: string; isYanked: boolean }> | null;
  accent?: string | null;
  label?: string | undefined;
}>) => writeBadgeSvg(presentBadge({ head: { accent: accent ?? null }, latest }, label));
const latest = (label: string, isYanked = false) => ({ latest: { label, isYanked } });
const widthOf = (svg: string) => Number(/ width="(\d+)"/.exec(svg)?.[1]);

describe('a badge', () => {
  it(`has a contrast of ${CONTRAST_MIN} in both halves, whatever the product’s colour`, () => {
    fc.assert(
      fc.property(badge, (drawn) => {
        const svg = svgOf(drawn);
        const fills = [...svg.matchAll(/<(?:rect|path) [^>]*fill="(#\w{6})"/g)].map(([, fill = '']) => fill);
        assert.equal(fills.length, 2);
        for (const fill of fills) assert.ok(contrast(fill, '#ffffff') >= CONTRAST_MIN, fill);
      }),
    );
  });

  it('has nothing of the texts but text', () => {
    fc.assert(
      fc.property(badge, (drawn) => {
        const svg = svgOf(drawn);
        assert.match(svg, /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u);
        const tags = svg.match(/<\/?\w+/g);
        assert.equal(
          tags?.join(' '),
          '<svg <title </title <rect <path <g <text </text <text </text </g </svg',
        );
        assert.ok(svg.replaceAll(/&(?:amp|lt|gt|quot|#13);/g, '').indexOf('&') === -1);
        assert.doesNotMatch(svg, /(?:href|src|url|style)[=(]/);
      }),
    );
  });

  it('is as wide as its texts are: of narrow, wide and no letters, and emoji of several characters', () => {
    const [narrow, wide] = [svgOf(latest('iiii.1')), svgOf(latest('WWWW@M'))].map(widthOf) as [
      number,
      number,
    ];
    assert.ok(narrow * 1.3 < wide, `${narrow} ${wide}`);
    assert.equal(widthOf(svgOf(latest('機能'))), widthOf(svgOf(latest('🚀👩‍👩‍👧'))));
    assert.equal(widthOf(svgOf(latest('Gro\u0308ße'))), widthOf(svgOf(latest('Größe'))));
    assert.equal(widthOf(svgOf(latest('2.1.0\u202e'))), widthOf(svgOf(latest('2.1.0'))));
  });

  it('ignores a colour that plain SQL wrote and that is none', () => {
    assert.equal(svgOf({ ...latest('1'), accent: 'red"/><script>' }), svgOf(latest('1')));
  });
});
