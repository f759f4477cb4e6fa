// The programs in docs/outputs.md that tell users of an update: runs them against servers of every kind.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { type ServerName, serverProgram } from '../../cluster/debian.ts';
import { type Scope, temporaryFolder } from '../../cluster/scope.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const SHOWN_URL = 'https://changes.example.com';
const SHOWN_VERSION = '1.4.1';
/** A program that hangs is stopped, and fails. */
const RUN_MS_MAX = 60_000;

type Run = Readonly<{ stdout: string; stderr: string }>;
type Command = readonly [program: string, ...args: string[]];
/** In a folder of its own, with another server and version. */
type Start = (folder: string, adapt: (text: string) => string) => Command;
type Example = Readonly<{
  needs: readonly ServerName[];
  /** Takes a folder to build in, and returns how to start the program. */
  prepare: (code: string, folder: string) => Start | Promise<Start>;
  /** What it says of Rocket 2.1.0. */
  says: RegExp;
}>;

const SAYS = /^Rocket 2\.1\.0 is available with security fixes\. You have (\S+)\. (\S+)\n$/;

/** By the language of their code block. */
export const UPDATE_EXAMPLES = {
  sh: {
    needs: ['curl'],
    prepare: (code) => (folder, adapt) => ['sh', write(folder, 'update.sh', adapt(code))],
    says: SAYS,
  },
  python: {
    needs: ['python3'],
    prepare: (code) => (folder, adapt) => ['python3', write(folder, 'update.py', adapt(code))],
    says: SAYS,
  },
  ts: {
    needs: [],
    prepare: (code) => (folder, adapt) => {
      mkdirSync(path.join(folder, 'node_modules'));
      symlinkSync(path.join(ROOT, 'client'), path.join(folder, 'node_modules/changelog-read-client'));
      return [process.execPath, write(folder, 'update.ts', adapt(code))];
    },
    says: SAYS,
  },
  go: {
    needs: ['go'],
    prepare: async (code, folder) => {
      const go = serverProgram('go');
      const file = write(folder, 'main.go', GO_FILE.replace('FUNCTION', code));
      assert.equal((await run(folder, [path.join(path.dirname(go), 'gofmt'), '-l', file])).stdout, '');
      await run(folder, [go, 'vet', file]);
      await run(folder, [go, 'build', '-o', 'update', file]);
      return (_, adapt) => [path.join(folder, 'update'), adapt(SHOWN_URL), adapt(SHOWN_VERSION)];
    },
    says: /^A newer Rocket is available\. You have (\S+)\. (\S+)\n$/,
  },
} satisfies Record<string, Example>;

export type UpdateLanguage = keyof typeof UPDATE_EXAMPLES;

const GO_FILE = `package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"time"
)

FUNCTION
func main() {
	tellAboutUpdate(os.Args[1]+"/api/v1/public/teams/acme/products/rocket/changelog", os.Args[2])
}
`;

/** The code block of a language in the document. */
export function updateExample(language: UpdateLanguage): string {
  const document = readFileSync(path.join(ROOT, 'docs/outputs.md'), 'utf8');
  const [, text = ''] = document.split('\n## Tell your users there is an update\n');
  const [section = ''] = text.split('\n## ');
  const code = new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'ms').exec(section)?.[1];
  assert.ok(code?.includes(SHOWN_VERSION) || language === 'go', `no example in ${language}`);
  return code as string;
}

/** `limited` has no requests left. */
type Servers = Readonly<{ demo: string; limited: string }>;

/** Asserts what the program prints for old, new and unknown versions, and that it goes on quietly without a response. */
export async function assertUpdateExample(
  scope: Scope,
  language: UpdateLanguage,
  { demo, limited }: Servers,
): Promise<void> {
  const { prepare, says }: Example = UPDATE_EXAMPLES[language];
  const start = await prepare(updateExample(language), temporaryFolder(scope));
  const printed = async (url: string, version = SHOWN_VERSION) => {
    const adapt = (text: string) => text.replaceAll(SHOWN_URL, url).replaceAll(SHOWN_VERSION, version);
    const folder = temporaryFolder(scope);
    const { stdout, stderr } = await run(folder, start(folder, adapt));
    assert.equal(stderr, '');
    return stdout;
  };
  for (const version of ['1.4.1', '1.4.1+5']) {
    const [, installed, url = ''] = says.exec(await printed(demo, version)) ?? [];
    assert.equal(installed, version);
    assert.equal((await fetch(url)).status, 200, url);
  }
  const silent = await listen(scope, () => {});
  const portal = await listen(scope, (_, response) => response.end('<!DOCTYPE html><title>Sign in</title>'));
  const gone = await listen(scope, () => {});
  gone.close();
  await Promise.all(
    [
      printed(demo, '2.1.0'),
      printed(demo, 'unknown'),
      ...[limited, silent.url, portal.url, gone.url].map((url) => printed(url)),
    ].map(async (quiet, index) => assert.equal(await quiet, '', `${language}, case ${index}`)),
  );
}

async function listen(scope: Scope, listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  scope.after(close);
  return { url: `http://127.0.0.1:${port}`, close };
}

async function run(folder: string, [program, ...args]: Command): Promise<Run> {
  return await promisify(execFile)(program, args, { cwd: folder, timeout: RUN_MS_MAX });
}

function write(folder: string, name: string, code: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, code);
  return file;
}
