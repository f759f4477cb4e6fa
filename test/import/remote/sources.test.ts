import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseSource } from '../../../src/import/remote/sources.ts';

const urlOf = (name: string, environment: Record<string, string> = {}) =>
  parseSource(name, environment)?.url.href;

describe('a source of releases', () => {
  it('names the releases of a repository on GitHub, GitLab, Gitea or Forgejo', () => {
    for (const [name, url] of [
      ['github:acme/rocket', 'https://api.github.com/repos/acme/rocket/releases?per_page=100'],
      ['GitHub:acme/rocket.js/', 'https://api.github.com/repos/acme/rocket.js/releases?per_page=100'],
      ['gitlab:acme/rocket', 'https://gitlab.com/api/v4/projects/acme%2Frocket/releases?per_page=100'],
      ['gitlab:my.group/sub', 'https://gitlab.com/api/v4/projects/my.group%2Fsub/releases?per_page=100'],
      [
        'gitlab:acme/sub/rocket',
        'https://gitlab.com/api/v4/projects/acme%2Fsub%2Frocket/releases?per_page=100',
      ],
      [
        'gitlab:git.example/acme/rocket',
        'https://git.example/api/v4/projects/acme%2Frocket/releases?per_page=100',
      ],
      ['gitlab:localhost:8080/a/b', 'http://localhost:8080/api/v4/projects/a%2Fb/releases?per_page=100'],
      ['gitea:codeberg.org/acme/rocket', 'https://codeberg.org/api/v1/repos/acme/rocket/releases?limit=50'],
      ['gitea:git.example:8443/a/b', 'https://git.example:8443/api/v1/repos/a/b/releases?limit=50'],
      ['gitea:git.example/gitea/a/b', 'https://git.example/gitea/api/v1/repos/a/b/releases?limit=50'],
      ['gitea:http://127.0.0.1:3000/a/b', 'http://127.0.0.1:3000/api/v1/repos/a/b/releases?limit=50'],
      ['gitea:127.0.0.1:3000/a/b', 'http://127.0.0.1:3000/api/v1/repos/a/b/releases?limit=50'],
      ['gitea:https://[::1]:3000/a/b', 'https://[::1]:3000/api/v1/repos/a/b/releases?limit=50'],
    ] as const)
      assert.equal(urlOf(name), url);
  });

  it('is on the server that Actions and GitLab CI name', () => {
    assert.equal(
      urlOf('github:a/b', { GITHUB_API_URL: 'https://git.example/api/v3/' }),
      'https://git.example/api/v3/repos/a/b/releases?per_page=100',
    );
    assert.equal(
      urlOf('gitlab:a/b', { CI_API_V4_URL: 'https://git.example/api/v4' }),
      'https://git.example/api/v4/projects/a%2Fb/releases?per_page=100',
    );
  });

  it('is refused if it names no repository, or a server without TLS elsewhere', () => {
    for (const name of [
      'github:acme',
      'github:a/b/c',
      'github:../..',
      'github:a/b?x',
      'github:',
      'github:https://github.com/a/b',
    ])
      assert.throws(() => urlOf(name), /as github:OWNER\/REPO/);
    for (const name of ['gitlab:acme', 'gitlab:a//b', 'gitlab:https://git.example/a', 'gitlab:a/b#c'])
      assert.throws(() => urlOf(name), /as gitlab:GROUP\/PROJECT, or/);
    for (const name of ['gitea:a/b', 'gitea:git.example', 'gitea:', 'gitea:git.example/a b/c'])
      assert.throws(() => urlOf(name), /as gitea:HOST\/OWNER\/REPO/);
    for (const name of [
      'gitea:http://git.example/a/b',
      'gitlab:http://git.example/a/b',
      'http://git.example/a',
    ])
      assert.throws(() => urlOf(name), /must start with https:/);
    assert.throws(
      () => urlOf('github:a/b', { GITHUB_API_URL: 'http://git.example' }),
      /URL in GITHUB_API_URL must/,
    );
    assert.throws(() => urlOf('gitlab:a/b', { CI_API_V4_URL: 'x' }), /the URL in CI_API_V4_URL must/);
  });
});

describe('a source that is a file', () => {
  it('is fetched as it is, and not as the page around it on GitHub and GitLab', () => {
    for (const [name, url] of [
      ['https://example.com/blob/C.md?x=1', 'https://example.com/blob/C.md?x=1'],
      ['https://github.com/a/b/blob/main/docs/C.md', 'https://raw.githubusercontent.com/a/b/main/docs/C.md'],
      ['https://github.com/a/b/raw/main/C.md', 'https://raw.githubusercontent.com/a/b/main/C.md'],
      ['https://gitlab.com/a/b/c/-/blob/main/C.md', 'https://gitlab.com/a/b/c/-/raw/main/C.md'],
      ['http://localhost:1/C.md', 'http://localhost:1/C.md'],
    ] as const)
      assert.equal(urlOf(name), url);
  });

  it('may be on this machine', () => {
    for (const name of ['CHANGELOG.md', '-', './github:a/b', 'C:\\CHANGELOG.md', 'docs/github:x', ''])
      assert.equal(parseSource(name, {}), null);
  });
});

describe('the token of a source', () => {
  const TOKENS = { GITHUB_TOKEN: 'one', GH_TOKEN: 'two', GITLAB_TOKEN: 'three', GITEA_TOKEN: 'four' };
  const tokenOf = (name: string, environment: Record<string, string> = TOKENS) => {
    const { header, value } = parseSource(name, environment)?.token ?? {};
    return header === undefined ? null : `${header}: ${value}`;
  };

  it('is that of its platform', () => {
    assert.equal(tokenOf('github:a/b'), 'authorization: Bearer one');
    assert.equal(
      tokenOf('github:a/b', { GITHUB_TOKEN: ' ', GH_TOKEN: 'two\n' }),
      'authorization: Bearer two',
    );
    assert.equal(tokenOf('gitlab:a/b'), 'private-token: three');
    assert.equal(tokenOf('gitea:git.example/a/b'), 'authorization: token four');
    assert.equal(tokenOf('https://github.com/a/b/blob/main/C.md'), 'authorization: Bearer one');
    assert.equal(tokenOf('github:a/b', {}), null);
  });

  it('is not sent with a file from anywhere else', () => {
    for (const host of [
      'example.com',
      'gitlab.com',
      'api.github.com',
      'raw.githubusercontent.com.example',
      'github.com',
    ])
      assert.equal(tokenOf(`https://${host}/a/b/C.md`), null);
  });
});
