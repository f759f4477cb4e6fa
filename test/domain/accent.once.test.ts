import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  accentColours,
  contrast,
  DARK_BACKGROUND,
  DARK_SURFACE,
  LIGHT_BACKGROUND,
  LIGHT_SURFACE,
} from '../../src/domain/accent.ts';

const LIGHT = [LIGHT_BACKGROUND, LIGHT_SURFACE];
const DARK = [DARK_BACKGROUND, DARK_SURFACE];
const colour = fc.nat(0xffffff).map((number) => `#${number.toString(16).padStart(6, '0')}`);

describe('a product’s accent colour', () => {
  it('contrast is computed as in WCAG', () => {
    assert.equal(contrast('#000000', '#ffffff'), 21);
    assert.equal(contrast('#777777', '#777777'), 1);
    assert.equal(contrast('#767676', '#ffffff').toFixed(2), '4.54');
    assert.equal(contrast('#ffffff', '#4f46e5').toFixed(2), '6.29');
  });

  it('is readable on both backgrounds and their surfaces, whatever the colour', () => {
    fc.assert(
      fc.property(colour, (hex) => {
        const { light, dark } = accentColours(hex);
        assert.match(light, /^#[0-9a-f]{6}$/);
        assert.match(dark, /^#[0-9a-f]{6}$/);
        for (const background of LIGHT)
          assert.ok(contrast(light, background) >= 4.5, `${light} ${background}`);
        for (const background of DARK) assert.ok(contrast(dark, background) >= 4.5, `${dark} ${background}`);
      }),
      { numRuns: 2_000, examples: [['#000000'], ['#ffffff'], ['#ffff00'], ['#0000ff'], [DARK_SURFACE]] },
    );
  });

  it('stays unchanged if its contrast is sufficient', () => {
    assert.deepEqual(accentColours('#4f46e5').light, '#4f46e5');
    fc.assert(
      fc.property(colour, (hex) => {
        const { light, dark } = accentColours(hex);
        if (LIGHT.every((background) => contrast(hex, background) >= 4.5)) assert.equal(light, hex);
        if (DARK.every((background) => contrast(hex, background) >= 4.5)) assert.equal(dark, hex);
      }),
      { numRuns: 2_000 },
    );
  });

  it('changes no more than necessary', () => {
    fc.assert(
      fc.property(colour, (hex) => {
        const { light, dark } = accentColours(hex);
        if (light !== hex) assert.ok(Math.min(...LIGHT.map((each) => contrast(light, each))) < 4.7, light);
        if (dark !== hex) assert.ok(Math.min(...DARK.map((each) => contrast(dark, each))) < 4.7, dark);
      }),
      { numRuns: 2_000 },
    );
  });

  it('keeps its hue', () => {
    fc.assert(
      fc.property(colour, (hex) => {
        const { light, dark } = accentColours(hex);
        for (const moved of [light, dark]) {
          // Rounding loses the hue of a grey, or of a near grey.
          if (Math.min(spread(hex), spread(moved)) < 32) continue;
          const apart = Math.abs(hue(hex) - hue(moved));
          assert.ok(Math.min(apart, 360 - apart) < 3, `${hex} ${moved}`);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('leaves a grey grey', () => {
    for (const moved of Object.values(accentColours('#808080'))) assert.equal(spread(moved), 0);
  });
});

function channels(hex: string): [number, number, number] {
  const [red = 0, green = 0, blue = 0] = [...Buffer.from(hex.slice(1), 'hex')];
  return [red, green, blue];
}

function spread(hex: string): number {
  return Math.max(...channels(hex)) - Math.min(...channels(hex));
}

/** In degrees, as in HSL. */
function hue(hex: string): number {
  const [red, green, blue] = channels(hex);
  const most = Math.max(red, green, blue);
  const degrees =
    most === red
      ? ((green - blue) / spread(hex)) * 60
      : most === green
        ? 120 + ((blue - red) / spread(hex)) * 60
        : 240 + ((red - green) / spread(hex)) * 60;
  return (degrees + 360) % 360;
}
