// `docs/terminal.svg`: a session with the real program, as a picture of a terminal for the README.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { runProgram, startNode } from '../cluster/nodes.ts';
import { openScope, temporaryFolder } from '../cluster/scope.ts';

const CHANGELOG = `# Changelog

## [Unreleased]

### Added

- A launch can be cancelled until ignition.

## [1.1.0] - 2026-03-02

**Steadier launches**

### Changed

- The countdown starts at ten.

### Fixed

- The fuse burns evenly.

## [1.0.0] - 2026-01-15

### Added

- Engines, and a button to start them.
`;
const SHOWN_URL = 'http://127.0.0.1:3000';
const FEED = '/api/v1/public/teams/acme/products/rocket/changelog';
/** Ids are random. */
const ID = /(?<=ver_)[0-9a-f]{32}/g;

const LEFT = 20;
const TOP = 56;
const LINE_HEIGHT = 19;
/** At 13 pixels, in the widest of the fonts. */
const CHARACTER_WIDTH = 8;

export async function terminalPicture(): Promise<string> {
  return drawTerminal(await playSession());
}

/** The lines of the session; those that a person types begin with `$ ` or `> `. */
async function playSession(): Promise<string[]> {
  const scope = openScope();
  try {
    const folder = temporaryFolder(scope);
    const at = { folder, environment: {} };
    writeFileSync(path.join(folder, 'CHANGELOG.md'), CHANGELOG);
    await runProgram(scope, ['init', '--yes', '--no-import', '--team', 'Acme', '--product', 'Rocket'], at);
    const imported = await runProgram(scope, ['import', 'acme/rocket', 'CHANGELOG.md'], at);
    const node = await startNode(scope, at);
    const { data } = (await (await fetch(node.address + FEED)).json()) as { data: { versions: unknown[] } };
    return [
      '$ changelog import acme/rocket CHANGELOG.md',
      ...linesOf(imported),
      '',
      '$ changelog serve',
      ...linesOf(node.output().stdout.replaceAll(node.address, SHOWN_URL)),
      '',
      '# In another terminal:',
      `$ curl -s ${SHOWN_URL}${FEED} |`,
      "> jq '.data.versions[0]'",
      // The layout of jq.
      ...linesOf(JSON.stringify(data.versions[0], null, 2).replaceAll(ID, '…')),
    ];
  } finally {
    await scope.close();
  }
}

function linesOf(text: string): string[] {
  return text.trimEnd().split('\n');
}

function drawTerminal(lines: readonly string[]): string {
  const width = LEFT * 2 + CHARACTER_WIDTH * Math.max(...lines.map((line) => line.length));
  const height = TOP + LINE_HEIGHT * lines.length;
  const rows = lines.flatMap((line, index) =>
    line === '' ? [] : `<text x="${LEFT}" y="${TOP + LINE_HEIGHT * index}">${paint(line)}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title">
<title id="title">A terminal: a CHANGELOG.md is imported and served, and curl reads its newest version as JSON</title>
<style>
  .window { fill: #f6f8fa; stroke: #d1d9e0; }
  .button { fill: #d1d9e0; }
  text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #1f2328; white-space: pre; }
  .typed { font-weight: 600; }
  .quiet { fill: #59636e; }
  .added { fill: #1a7f37; }
  .name { fill: #0550ae; }
  @media (prefers-color-scheme: dark) {
    .window { fill: #151b23; stroke: #3d444d; }
    .button { fill: #3d444d; }
    text { fill: #e6edf3; }
    .quiet { fill: #9198a1; }
    .added { fill: #3fb950; }
    .name { fill: #79c0ff; }
  }
</style>
<rect class="window" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>
${[20, 38, 56].map((x) => `<circle class="button" cx="${x}" cy="19" r="5"/>`).join('')}
${rows.join('\n')}
</svg>
`;
}

/** What was typed, what was added and the names of fields have colours of their own. */
function paint(line: string): string {
  return escapeXml(line)
    .replace(/^#.*$/, '<tspan class="quiet">$&</tspan>')
    .replace(/^(\$ |&gt; )(.*)$/, '<tspan class="quiet">$1</tspan><tspan class="typed">$2</tspan>')
    .replace(/^\+.*$/, '<tspan class="added">$&</tspan>')
    .replace(/^( +)("\w+")(?=:)/, '$1<tspan class="name">$2</tspan>');
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
