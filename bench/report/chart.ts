// The ratios that have a goal, as an SVG chart, readable on light and dark pages.
import { type Figure, type Goal, isReached, type Results } from './results.ts';
import { formatGoal } from './table.ts';

const WIDTH = 960;
const LABEL_WIDTH = 400;
const BAR_WIDTH = 390;
const ROW_HEIGHT = 22;
const HEADING_HEIGHT = 34;
const TOP = 64;
const BOTTOM = 34;
/** Longer bars are cut off here; the number shows the value. */
const RATIO_MAX = 1.75;
const STEPS = [0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75];

const STYLE = `
  .paper { fill: #ffffff; }
  text { font: 13px system-ui, sans-serif; fill: #1f2328; }
  .title { font-size: 17px; font-weight: 600; }
  .group { font-weight: 600; }
  .quiet { fill: #59636e; }
  .line { stroke: #d1d9e0; }
  .one { stroke: #59636e; }
  .goal { stroke: #1f2328; stroke-width: 2.5; }
  .reached { fill: #2da44e; }
  .missed { fill: #d4711a; }
  @media (prefers-color-scheme: dark) {
    .paper { fill: #0d1117; }
    text { fill: #e6edf3; }
    .quiet { fill: #9198a1; }
    .line { stroke: #3d444d; }
    .one { stroke: #9198a1; }
    .goal { stroke: #e6edf3; }
    .reached { fill: #3fb950; }
    .missed { fill: #e3812b; }
  }
`;

export function renderChart({ figures }: Pick<Results, 'figures'>): string {
  const shown = figures.filter(({ ratio, goal }) => ratio !== null && goal !== undefined);
  const nameOf = new Map(figures.map(({ id, name }) => [id, name]));
  const parts: string[] = [];
  let y = TOP;
  const sections = Map.groupBy(
    shown,
    ({ group, comparedWith = '', isCost = false }) =>
      `${group}: ${isCost ? 'time per request' : 'requests'}, 1 = ${nameOf.get(comparedWith) ?? comparedWith}`,
  );
  for (const [heading, rows] of sections) {
    y += HEADING_HEIGHT;
    parts.push(text(16, y - 12, heading, 'group'));
    for (const figure of rows) {
      parts.push(renderRow(figure, y));
      y += ROW_HEIGHT;
    }
  }
  const height = y + BOTTOM;
  const title = 'Ratios by processor time, and their goals';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="title">
<title id="title">${escaped(title)}</title>
<style>${STYLE}</style>
<rect class="paper" width="100%" height="100%"/>
${text(16, 28, title, 'title')}
${text(16, 50, 'Medians of the ratios within each round. The line across a bar is its goal: green bars reach it, orange bars do not.', 'quiet')}
${STEPS.map((step) => renderStep(step, y)).join('\n')}
${parts.join('\n')}
</svg>
`;
}

function renderStep(step: number, bottom: number): string {
  const x = xOf(step);
  const line = `<line class="${step === 1 ? 'one' : 'line'}" x1="${x}" y1="${TOP}" x2="${x}" y2="${bottom + 4}"/>`;
  return `${line}${text(x, bottom + 20, String(step), 'quiet', 'middle')}`;
}

function renderRow(figure: Figure, y: number): string {
  const { name, ratio, goal } = figure;
  const value = ratio?.median ?? 0;
  const end = xOf(value);
  const kind = isReached(figure) ? 'reached' : 'missed';
  const middle = y + ROW_HEIGHT / 2 + 4;
  const bar = `<rect class="${kind}" x="${LABEL_WIDTH}" y="${y + 4}" width="${(end - LABEL_WIDTH).toFixed(1)}" height="${ROW_HEIGHT - 8}" rx="2"/>`;
  const at = xOf(limitOf(goal as Goal));
  const mark = `<line class="goal" x1="${at}" y1="${y + 1}" x2="${at}" y2="${y + ROW_HEIGHT - 1}"/>`;
  const figures = text(LABEL_WIDTH + BAR_WIDTH + 16, middle, `${value.toFixed(2)}, ${formatGoal(goal)}`);
  return `${text(LABEL_WIDTH - 10, middle, name, '', 'end')}${bar}${mark}${figures}`;
}

const limitOf = (goal: Goal) => ('atLeast' in goal ? goal.atLeast : goal.atMost);

function xOf(ratio: number): number {
  return Number((LABEL_WIDTH + (Math.min(ratio, RATIO_MAX) / RATIO_MAX) * BAR_WIDTH).toFixed(1));
}

function text(x: number, y: number, content: string, kind = '', anchor = 'start'): string {
  const attributes = [kind && ` class="${kind}"`, anchor !== 'start' && ` text-anchor="${anchor}"`];
  return `<text x="${x}" y="${y}"${attributes.filter(Boolean).join('')}>${escaped(content)}</text>`;
}

function escaped(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
