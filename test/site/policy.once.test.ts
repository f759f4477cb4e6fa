// Built pages have the policy of the service in themselves, because hosts of files send none.
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import { runOk } from '../../support/program/command.ts';
import { sandboxWithoutDatabase } from '../cli/helpers.ts';
import { filesIn } from './files.ts';

const IMAGE = '![a picture](https://pictures.example/a.png)';
const CHANGELOG = `# Changelog

## [1.1.0] - 2026-03-02

### Added

- One with ${IMAGE}.

## [1.0.0] - 2025-01-15

### Fixed

- First.
`;

it('every page allows the style sheet of the site, its images and nothing else, before anything that it applies to', async (t) => {
  const sandbox = sandboxWithoutDatabase(t);
  writeFileSync(path.join(sandbox.folder, 'CHANGELOG.md'), CHANGELOG);
  await runOk(sandbox, ['build', 'CHANGELOG.md', '--out', 'site']);
  const site = path.join(sandbox.folder, 'site');
  const pages = filesIn(site).filter((file) => file.endsWith('.html'));
  for (const file of [
    'index.html',
    '404.html',
    'type-fixed.html',
    'year-2025.html',
    'changes/1.0.0...1.1.0.html',
  ])
    assert.ok(pages.includes(file), file);
  for (const file of pages) {
    const html = readFileSync(path.join(site, file), 'utf8');
    const [, policy = ''] =
      /<head>\n<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="([^"]*)">\n/.exec(
        html,
      ) ?? [];
    const [, css] = /<style>(.*?)<\/style>/s.exec(html) ?? [];
    // It is shown at any depth.
    assert.equal(css !== undefined, file === '404.html', file);
    const directives = policy.split('; ');
    assert.ok(directives.includes("default-src 'none'"), file);
    const source = css === undefined ? "'self'" : `'sha256-${hash('sha256', css, 'base64')}'`;
    assert.ok(directives.includes(`style-src ${source}`), file);
    const shown = html.includes('src="https://pictures.example/a.png"') ? 'https://pictures.example ' : '';
    assert.ok(directives.includes(`img-src ${shown}data:`), file);
    assert.doesNotMatch(policy, /unsafe|script-src|frame-ancestors|\*/);
    assert.equal(html.split('http-equiv').length, 2, file);
  }
});
