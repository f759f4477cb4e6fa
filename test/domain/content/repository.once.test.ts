import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { repositoryOf } from '../../../src/domain/content/repository.ts';

describe('the page of a git remote', () => {
  const cases: readonly (readonly [page: string | null, ...remotes: string[]])[] = [
    [
      'https://github.com/acme/rocket',
      'git@github.com:acme/rocket.git',
      'github.com:acme/rocket',
      'https://github.com/acme/rocket.git',
      'https://github.com/acme/rocket/',
      'http://github.com/acme/rocket',
      'git://github.com/acme/rocket.git',
      'ssh://git@github.com/acme/rocket.git',
      'ssh://git@ssh.github.com:443/acme/rocket.git',
      // Without what may be secret.
      'https://hidden@github.com/acme/rocket.git',
      'https://x-access-token:hidden@github.com/acme/rocket.git',
      'https://user:hid@den@github.com/acme/rocket.git',
      'ssh://user:hidden@github.com:2222/acme/rocket.git',
    ],
    ['https://git.acme.example:8443/a/b/c', 'https://git.acme.example:8443/a/b/c.git'],
    ['https://git.xn--80akhbyknj4f.xn--p1ai/a/b', 'git@git.xn--80akhbyknj4f.xn--p1ai:a/b.git'],
    ['https://git.sr.ht/~acme/rocket', 'git@git.sr.ht:~acme/rocket'],
    [
      null,
      '',
      'rocket',
      '/srv/git/acme/rocket.git',
      '../acme/rocket',
      'C:\\acme\\rocket',
      'C:/acme/rocket',
      'file:///srv/git/acme/rocket.git',
      'ext::sh -c hidden',
      'git.acme.example/acme/rocket',
      'git@git.acme.example:/srv/git/rocket.git',
      'git@git.acme.example:rocket.git',
      'https://git.acme.example/rocket.git',
      // What only this machine or its network knows.
      'git@github-work:acme/rocket.git',
      'git@github.com-work:acme/rocket.git',
      'https://localhost:3000/acme/rocket',
      'http://10.0.0.1/acme/rocket',
      'https://10.0.0.1:3000/acme/rocket',
      'https://[::1]/acme/rocket',
      'git@git.acme.internal:acme/rocket.git',
      'https://git.lan:8443/acme/rocket',
      // Their pages are elsewhere.
      'git@ssh.dev.azure.com:v3/acme/rocket/rocket',
      'https://git-codecommit.eu-west-1.amazonaws.com/v1/repos/rocket',
      // A password that is not encoded, or a token.
      'https://user.name:hid/den@github.com/acme/rocket',
      'user:hidden@github.com:acme/rocket.git',
      'https://github.com/acme/rocket?token=hidden',
      'https://github.com/acme/rocket#hidden',
    ],
  ];
  for (const [page, ...remotes] of cases)
    for (const remote of remotes)
      it(`of ${JSON.stringify(remote)} is ${page ?? 'unknown'}`, () =>
        assert.equal(repositoryOf(remote), page));
});
