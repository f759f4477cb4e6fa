// Changelogs in the formats of other tools, for `import`.

const RELEASED = `## [1.1.0] - 2025-11-30 [YANKED]

### Fixed

* A leak in the lower tank,
  which nobody had noticed.

## [1.0.0] - 2025-10-01

**Lift-off**

First flight. ![The pad](https://rocket.example/pad.png)

[#38]: https://rocket.example/issues/38
`;

const HEAD = `# Changelog

The format is based on [Keep a Changelog](https://keepachangelog.com/en/1.1.0/).

`;

export const KEEP_A_CHANGELOG = {
  /** Two versions have changed, one of them edited by hand since, and the newest has been removed. */
  next: `${HEAD}## [Unreleased]

${RELEASED.replace('First flight.', 'First flight, and landing.').replace('lower tank', 'upper tank')}`,
  first: `${HEAD}## [Unreleased]

### Added

- A second countdown.

${RELEASED}`,
  grown: `${HEAD}## [Unreleased]

## [2.0.0] - 2026-03-09

Engines are started by hand from now on.

### Added

- A second countdown.

### Changed

- **Breaking:** \`ignite()\` needs a key:

  \`\`\`ts
  ignite({ key: 'red' });
  \`\`\`

### Security

- The hatch locks itself ([#38]).

${RELEASED}`,
};

export const GITHUB_RELEASES = JSON.stringify([
  release('v1.2.0', null, { draft: true, name: 'v1.2.0', body: 'Not yet out.' }),
  release('v1.1.0', '2026-04-02T09:30:00Z', {
    prerelease: true,
    name: 'Further than ever',
    body: '## Changed\r\n* Longer wings by @mira in https://rocket.example/pull/12\r\n\r\n**Full Changelog**: https://rocket.example/compare/v1.0.0...v1.1.0',
  }),
  release('v1.0.0', '2026-01-01T09:00:00Z', {
    name: null,
    body: '### Added\n\n- Wings.\n\n### Fixed\n\n- Gravity, see [the notes].\n\n[the notes]: https://rocket.example/notes',
  }),
]);

export const PACKAGE_CHANGES = `# @rocket/engine

## 5.0.0

### Major Changes

- 4f5e6d7: Turn the nozzle by wire.

### Patch Changes

- Updated dependencies [4f5e6d7]
  - @rocket/tank@2.0.0

## 4.1.9

### Patch Changes

- 7a7a7a7: Quieter.
`;

function release(tag: string, publishedAt: string | null, more: object) {
  return {
    html_url: `https://rocket.example/releases/tag/${tag}`,
    tag_name: tag,
    draft: false,
    prerelease: false,
    created_at: '2026-01-01T08:00:00Z',
    published_at: publishedAt,
    ...more,
  };
}
