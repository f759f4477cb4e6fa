import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readToml } from '../../../src/import/workspace/toml.ts';

const read = (text: string) => Object.fromEntries(readToml(text));

describe('TOML', () => {
  it('lists may have several lines, comments, both quotes and a last comma', () => {
    assert.deepEqual(
      read(`
# [workspace] in a comment
[workspace] # the real one
resolver = "2"
members = [ "crates/*", # "commented"
  'tools/#1',
  "with \\"quotes\\" and \\u0061",
]
exclude=["old"]

[workspace.dependencies]
members = ["not these"]
serde = { version = "1", features = ["derive"] }
`),
      {
        'workspace.resolver': '2',
        'workspace.members': ['crates/*', 'tools/#1', 'with "quotes" and a'],
        'workspace.exclude': ['old'],
        'workspace.dependencies.members': ['not these'],
      },
    );
  });

  it('a field may be named with dots, and a table may come later', () => {
    assert.deepEqual(
      read('workspace.members = ["a"]\n[ package ]\nname = \'rocket\'\nversion.workspace = true'),
      {
        'workspace.members': ['a'],
        'package.name': 'rocket',
      },
    );
  });

  it('a table in a list of tables is not the package, and text of several lines is no table', () => {
    assert.deepEqual(
      read(
        '[[bin]]\nname = "tool"\n[package]\ndescription = """\n[workspace]\nmembers = ["x"]\n"""\nname = "rocket"\r\n',
      ),
      {
        '[].name': 'tool',
        'package.description': '\n[workspace]\nmembers = ["x"]\n',
        'package.name': 'rocket',
      },
    );
  });

  it('a broken file is read as far as it goes', () => {
    for (const text of [
      '[workspace',
      'members = [',
      '= "x"',
      '"""',
      "'",
      ']]]]\n[package]\nname="a"',
      '[]\n=\n,',
      '"""\''.repeat(250_000),
    ])
      readToml(text);
    assert.deepEqual(read(']\n[package]\nname = "a"'), { 'package.name': 'a' });
  });
});
