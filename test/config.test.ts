import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import {
  type Config,
  type Environment,
  loadConfig,
  readConfig,
  readSettings,
  SETTINGS,
} from '../src/config.ts';
import { Refusal } from '../src/errors.ts';
import { temporaryFolder } from '../support/processes/scope.ts';
import { run } from '../support/program/command.ts';

type Name = keyof typeof SETTINGS;

/** The table of the contract: the default of each setting, and values that it accepts and rejects. */
const EXPECTED: Record<Name, { byDefault: unknown; good: [string, unknown][]; bad: string[] }> = {
  databaseUrls: {
    byDefault: ['sqlite:data/changelog.db'],
    good: [
      ['sqlite:a b.db', ['sqlite:a b.db']],
      ['sqlite:a,b.db', ['sqlite:a,b.db']],
      ['postgres://h/d', ['postgres://h/d']],
      ['postgresql://u:p@h:1/d?sslmode=require', ['postgresql://u:p@h:1/d?sslmode=require']],
      ['postgres:///d?host=/socket', ['postgres:///d?host=/socket']],
      ['postgres://u%b:50%@h/d', ['postgres://u%b:50%@h/d']],
      ['postgres://u:p@h/d?options=-ca@b', ['postgres://u:p@h/d?options=-ca@b']],
      ['postgres:///d?user=a@b&password=p@ss', ['postgres:///d?user=a@b&password=p@ss']],
      ['postgres://u:a%40%2F%23%3F:$!*@[::1]/d', ['postgres://u:a%40%2F%23%3F:$!*@[::1]/d']],
      [
        'postgres://a/d,postgres://b/d, postgres://c/d',
        ['postgres://a/d', 'postgres://b/d', 'postgres://c/d'],
      ],
    ],
    bad: [
      '',
      'sqlite:',
      'sqlite::memory:',
      'data/changelog.db',
      'mysql://h/d',
      'SQLITE:a.db',
      'postgres://',
      'postgres://a/d,',
      'postgres://a/d,sqlite:b.db',
      'sqlite:b.db,postgres://a/d',
      Array(17).fill('postgres://a/d').join(),
    ],
  },
  redisUrl: {
    byDefault: null,
    good: [
      ['redis://h:6379', 'redis://h:6379'],
      ['rediss://h', 'rediss://h'],
      ['redis://ann:p%40ss@[::1]:6379/2', 'redis://ann:p%40ss@[::1]:6379/2'],
    ],
    bad: ['', 'h:6379', 'http://h', 'redis://', 'redis:///1', 'redis://h:port'],
  },
  host: {
    byDefault: '127.0.0.1',
    good: [
      ['::', '::'],
      ['localhost', 'localhost'],
    ],
    bad: ['', 'a b', 'http://h'],
  },
  port: {
    byDefault: 3000,
    good: [
      ['0', 0],
      ['65535', 65_535],
    ],
    bad: ['', '65536', '-1', '3e3', '80.5', ' 80', 'x'],
  },
  workers: {
    byDefault: 1,
    good: [
      ['0', 0],
      ['4', 4],
    ],
    bad: ['', '-1', 'auto', '1.5'],
  },
  opsHost: { byDefault: '127.0.0.1', good: [['::1', '::1']], bad: ['', 'a b'] },
  opsPort: { byDefault: null, good: [['9090', 9090]], bad: ['', '65536', 'x'] },
  baseUrl: {
    byDefault: null,
    good: [
      ['https://changes.example.com/base', 'https://changes.example.com/base'],
      ['https://changes.example.com/@base//', 'https://changes.example.com/@base'],
      ['https://changes.example.com/base//', 'https://changes.example.com/base'],
      ['https://BÜRO.example:443/änderungen/', 'https://xn--bro-hoa.example/%C3%A4nderungen'],
      ['https://büro.example/a>b"c', 'https://xn--bro-hoa.example/a%3Eb%22c'],
    ],
    bad: [
      '',
      'example.com',
      'ftp://h',
      'http://',
      'http://h/?q',
      'http://h/#f',
      'http://a b',
      'http://u:p@h',
      'http://u@h/x',
    ],
  },
  passwordProtection: {
    byDefault: false,
    good: [['false', false]],
    bad: ['', 'TRUE', 'True', '1', '0', 'yes', 'on', 'true ', 'FALSE', 'no'],
  },
  passwordProtectionUsername: { byDefault: null, good: [['ann', 'ann']], bad: ['', 'a:b', 'a\nb'] },
  passwordProtectionPassword: { byDefault: null, good: [['a:b c', 'a:b c']], bad: ['', 'a\nb', 'a\0b'] },
  publicRateLimit: { byDefault: 60, good: [['1', 1]], bad: ['', '0', '-5', 'none', '1.5', '1e2'] },
  publicRateWindowSeconds: { byDefault: 60, good: [['3600', 3600]], bad: ['', '0', '60s', '1000000000'] },
  trustedProxies: {
    byDefault: [],
    good: [],
    bad: [
      '',
      'proxy',
      '10.0.0.0/33',
      '10.0.0.0/8,',
      '10.0.0.0/8 ::1',
      '::1/129',
      '256.0.0.1',
      '10',
      '010.0.0.0/8',
      '0x0a.0.0.1',
    ],
  },
  cdnMaxAgeSeconds: {
    byDefault: null,
    good: [
      ['0', 0],
      ['31536000', 31_536_000],
    ],
    bad: ['', '-1', '1d', '31536001'],
  },
  publicMaxAgeSeconds: { byDefault: 30, good: [['0', 0]], bad: ['', '-1', '30s'] },
  listing: {
    byDefault: 'team',
    good: [
      ['none', 'none'],
      ['team', 'team'],
      ['all', 'all'],
    ],
    bad: ['', 'ALL', 'teams', 'true'],
  },
  pageStylesheet: {
    byDefault: null,
    good: [
      ['brand.css', 'brand.css'],
      ['/etc/changelog/our brand.css', '/etc/changelog/our brand.css'],
    ],
    bad: ['', 'a\0b'],
  },
  cacheMaxMb: { byDefault: 64, good: [['0', 0]], bad: ['', '-1', '64MB'] },
  autoMigrate: { byDefault: true, good: [['false', false]], bad: ['', 'no', '0', 'False', 'TRUE'] },
  logLevel: {
    byDefault: 'info',
    good: [
      ['silent', 'silent'],
      ['debug', 'debug'],
    ],
    bad: ['', 'INFO', 'verbose'],
  },
  logFormat: {
    byDefault: 'auto',
    good: [
      ['json', 'json'],
      ['pretty', 'pretty'],
    ],
    bad: ['', 'JSON', 'text'],
  },
  keyUsage: { byDefault: true, good: [['off', false]], bad: ['', 'true', 'OFF'] },
  scheduler: { byDefault: true, good: [['off', false]], bad: ['', 'false', 'Off'] },
  hooksFile: { byDefault: null, good: [['hooks.yaml', 'hooks.yaml']], bad: ['', 'a\0b'] },
};

/** Combined into `gate`. */
const GATE: Name[] = ['passwordProtection', 'passwordProtectionUsername', 'passwordProtectionPassword'];
const names = Object.keys(SETTINGS) as Name[];
const plainNames = names.filter((name) => !GATE.includes(name)) as (Name & keyof Config)[];

function problemWith(environment: Environment): string {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
  throw new Error(`accepted: ${JSON.stringify(environment)}`);
}

describe('settings', () => {
  it('the table of this test lists every setting, each with its own variable', () => {
    assert.deepEqual(names.toSorted(), Object.keys(EXPECTED).toSorted());
    assert.equal(new Set(names.map((name) => SETTINGS[name].variable)).size, names.length);
  });

  it('every setting has its default when nothing is set', () => {
    const config = readConfig({});
    assert.deepEqual(
      Object.fromEntries(plainNames.map((name) => [name, config[name]])),
      Object.fromEntries(plainNames.map((name) => [name, EXPECTED[name].byDefault])),
    );
    assert.equal(config.gate, null);
    assert.ok(Object.isFrozen(config));
  });

  for (const name of names) {
    const { variable, accepts } = SETTINGS[name];
    const { good, bad } = EXPECTED[name];

    it(`${variable} accepts its valid values`, () => {
      for (const [text, value] of good) {
        const config = readConfig({ [variable]: text });
        if ((plainNames as Name[]).includes(name))
          assert.deepEqual(config[name as keyof Config], value, text);
        assert.equal(config.gate, null);
      }
    });

    for (const text of bad) {
      it(`${variable}=${JSON.stringify(text)} is rejected with the variable and the values it accepts`, () => {
        const message = problemWith({ [variable]: text });
        assert.ok(message.startsWith(`${variable} is `), message);
        assert.ok(message.endsWith(`; it must be ${accepts}.`), message);
      });
    }
  }

  it('TRUSTED_PROXIES does not accept all addresses', () => {
    for (const all of ['0.0.0.0/0', '10.0.0.0/8,::/0 ', '0.0.0.0/00'])
      assert.throws(
        () => readConfig({ TRUSTED_PROXIES: all }),
        /every client could pretend to be another\.$/,
      );
    assert.throws(() => readConfig({ TRUSTED_PROXIES: '10.0.0.0/8,proxy' }), /such as 10\.0\.0\.0\/8,::1\.$/);
  });

  it('TRUSTED_PROXIES accepts networks and addresses', () => {
    const { trustedProxies } = readConfig({ TRUSTED_PROXIES: '10.0.0.0/8, 192.0.2.1,2001:db8::/32,::1' });
    assert.deepEqual(
      trustedProxies.map(([address, bits]) => `${address}/${bits}`),
      ['10.0.0.0/8', '192.0.2.1/32', '2001:db8::/32', '::1/128'],
    );
  });

  it('all problems of the settings are reported together', () => {
    const { value, problems } = readSettings({ PORT: 'x', LOG_LEVEL: 'loud', KEY_USAGE: 'maybe' });
    assert.equal(value, null);
    assert.deepEqual(
      problems.map((problem) => problem.split(' ')[0]),
      ['PORT', 'LOG_LEVEL', 'KEY_USAGE'],
    );
  });
});

describe('PASSWORD_PROTECTION (R22)', () => {
  const USERNAME = 'PASSWORD_PROTECTION_USERNAME';
  const PASSWORD = 'PASSWORD_PROTECTION_PASSWORD';
  const credentials = { [USERNAME]: 'ann', [PASSWORD]: 's3cret' };

  it('PASSWORD_PROTECTION=true with both credentials turns the gate on', () => {
    const { gate } = readConfig({ PASSWORD_PROTECTION: 'true', ...credentials });
    assert.deepEqual(gate, { username: 'ann', password: 's3cret' });
  });

  it('PASSWORD_PROTECTION=false or unset turns the gate off, with or without credentials', () => {
    for (const value of ['false', undefined]) {
      assert.equal(readConfig({ PASSWORD_PROTECTION: value }).gate, null);
      assert.equal(readConfig({ PASSWORD_PROTECTION: value, ...credentials }).gate, null);
    }
  });

  it('PASSWORD_PROTECTION=true with a missing credential is rejected, naming the missing one', () => {
    const cases: [Environment, expected: string[], not: string[]][] = [
      [{}, [USERNAME, PASSWORD], []],
      [{ [USERNAME]: 'ann' }, [PASSWORD], [`${USERNAME} `]],
      [{ [PASSWORD]: 's3cret' }, [USERNAME], [`${PASSWORD} `]],
    ];
    for (const [given, expected, not] of cases) {
      const message = problemWith({ PASSWORD_PROTECTION: 'true', ...given });
      assert.match(message, /^PASSWORD_PROTECTION is true, but .* unset; /);
      for (const variable of expected) assert.ok(message.includes(`${variable} `), message);
      for (const variable of not) assert.ok(!message.includes(variable), message);
      assert.ok(!message.includes('s3cret'));
    }
  });

  it('PASSWORD_PROTECTION=true with an empty credential is rejected', () => {
    for (const variable of [USERNAME, PASSWORD]) {
      const message = problemWith({ PASSWORD_PROTECTION: 'true', ...credentials, [variable]: '' });
      assert.ok(message.startsWith(`${variable} is `), message);
    }
  });

  it('any other PASSWORD_PROTECTION prevents `serve` from starting', async (t) => {
    for (const value of ['TRUE', '1', '', 'yes']) {
      const sandbox = { folder: temporaryFolder(t), environment: { PASSWORD_PROTECTION: value } };
      const { code, stdout, stderr } = await run(sandbox, ['serve', '--port', '0']);
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(stderr, /^changelog: PASSWORD_PROTECTION is not valid; it must be true or false\.\n$/);
    }
  });
});

describe('secrets in settings', () => {
  it('a rejected password is not printed', () => {
    const message = problemWith({ PASSWORD_PROTECTION_PASSWORD: 'hunter2\u0007' });
    assert.ok(!message.includes('hunter2'), message);
  });

  it('a password written into the user name is not printed', () => {
    const message = problemWith({ PASSWORD_PROTECTION_USERNAME: 'ann:hunter2' });
    assert.match(message, /^PASSWORD_PROTECTION_USERNAME is not valid; it must be text without colons/);
  });

  it('a URL with characters that must be percent-encoded is rejected with the list of them', () => {
    for (const [variable, url] of [
      ['DATABASE_URL', 'postgres://u:p@ss@h/d'],
      ['DATABASE_URL', 'postgres://u:p@ss/w#rd@h/d'],
      ['DATABASE_URL', 'postgres://u:12/34@h/d'],
      ['DATABASE_URL', 'postgres://u:p@a?b=c@h/d'],
      ['DATABASE_URL', 'postgres://u:p@h/d#x@y'],
      ['DATABASE_URL', 'postgres://u:p,w@h/d'],
      ['DATABASE_URL', 'postgres://u:p w@h/d'],
      ['DATABASE_URL', 'postgres://u:%ff@h/d'],
      ['REDIS_URL', 'redis://:p@ss@h'],
      ['REDIS_URL', 'redis://:1/2@h'],
      ['REDIS_URL', 'redis://:p%ff@h'],
    ] as const)
      assert.match(
        problemWith({ [variable]: url }),
        new RegExp(`^${variable} is not valid; .* Percent-encode these characters in the .*: @ \\(%40\\), /`),
        url,
      );
  });

  it('a password in a rejected URL is not printed', () => {
    for (const [variable, address] of [
      ['DATABASE_URL', 'mysql://ann:hunter2@db.example.com/changelog'],
      ['DATABASE_URL', 'postgresql://ann:hunter2@a/x,sqlite:hunter2'],
      ['REDIS_URL', 'redis+tls://:hunter2@cache.example.com:6379'],
      ['BASE_URL', 'https://ann:x hunter2@example.com'],
      ['BASE_URL', 'https:/ann:hunter2@example.com'],
      ['HOST', 'ann:hunter2@example.com'],
      ['PORT', 'postgres:ann:hunter2@example.com'],
      ['PASSWORD_PROTECTION', 'hunter2'],
    ] as const) {
      const message = problemWith({ [variable]: address });
      assert.ok(message.startsWith(`${variable} is `), message);
      assert.ok(!message.includes('hunter2'), message);
    }
  });
});

describe('.env', () => {
  const folderWith = (t: Parameters<typeof temporaryFolder>[0], text: string | Buffer) => {
    const folder = temporaryFolder(t);
    writeFileSync(path.join(folder, '.env'), text);
    return folder;
  };

  it('.env is used only for variables that are unset', (t) => {
    const folder = folderWith(t, '# a comment\nPORT=4000\nHOST="0.0.0.0"\nLOG_LEVEL=debug\nUNRELATED=x\n');
    const config = loadConfig({ PORT: '5000' }, folder);
    assert.deepEqual(
      [config.port, config.host, config.logLevel, config.workers],
      [5000, '0.0.0.0', 'debug', 1],
    );
  });

  it('.env does not replace a variable that is set but empty', (t) => {
    const folder = folderWith(t, 'PORT=4000\n');
    assert.throws(() => loadConfig({ PORT: '' }, folder), /^Refusal: PORT is ""/);
  });

  it('.env is checked like the environment', (t) => {
    const folder = folderWith(t, 'PASSWORD_PROTECTION=TRUE\n');
    assert.throws(
      () => loadConfig({}, folder),
      /^Refusal: PASSWORD_PROTECTION is not valid; it must be true or false\.$/,
    );
    assert.equal(loadConfig({ PASSWORD_PROTECTION: 'false' }, folder).gate, null);
  });

  it('.env may be missing', (t) => {
    assert.deepEqual(loadConfig({}, temporaryFolder(t)), readConfig({}));
  });

  it('a directory in place of .env, and one in UTF-16, is rejected by every command with what to do', async (t) => {
    const folder = temporaryFolder(t);
    mkdirSync(path.join(folder, '.env'));
    const utf16 = folderWith(t, Buffer.from('\uFEFFPORT=4000\n', 'utf16le'));
    for (const args of [['team', 'list'], ['migrate'], ['serve'], ['init', '--yes']]) {
      const { code, stderr } = await run({ folder }, args);
      assert.equal(code, 1);
      assert.match(stderr, /^changelog: cannot read \S+\.env: it is a directory; remove it, or [^\n]+\.\n$/);
      assert.match(
        (await run({ folder: utf16 }, args)).stderr,
        /^changelog: cannot read \S+\.env: it is not UTF-8 text; save it as UTF-8\.\n$/,
      );
    }
  });

  it('an unreadable .env is rejected with what to do', (t) => {
    const folder = folderWith(t, 'PORT=4000\n');
    chmodSync(path.join(folder, '.env'), 0o000);
    chmodSync(folder, 0o755);
    // Root may read every file.
    const user = process.geteuid?.() ?? 0;
    if (user === 0) process.seteuid?.(65_534);
    try {
      assert.throws(
        () => loadConfig({}, folder),
        /^Refusal: cannot read \S+\.env: this user may not read it; change its owner or its mode\.$/,
      );
    } finally {
      if (user === 0) process.seteuid?.(0);
    }
  });

  it('a byte order mark does not hide the first setting', (t) => {
    assert.equal(loadConfig({}, folderWith(t, '\uFEFFPORT=4000\n')).port, 4000);
  });

  it('a line without = does not hide the setting below it', (t) => {
    for (const line of [
      'LOG_LEVEL: debug',
      'nonsense',
      'set -a',
      ' # HOST=x',
      'URL: http://h/?a=b',
      'A B=c',
    ]) {
      const { port, logLevel } = loadConfig({}, folderWith(t, `${line}\nPORT=4000\n`));
      assert.deepEqual([port, logLevel], [4000, 'info'], line);
    }
  });

  it('.env may have `export`, spaces, quotes, comments and values of several lines', (t) => {
    const text = [
      'export PORT = 4000 # a comment',
      'export\tHOST="::1" # and another',
      "PASSWORD_PROTECTION_USERNAME='a#b'",
      'OTHER="several',
      'LOG_LEVEL=loud',
      'lines"',
      'WORKERS=2',
    ];
    for (const lineEnd of ['\n', '\r\n']) {
      const { port, host, logLevel, workers } = loadConfig({}, folderWith(t, text.join(lineEnd)));
      assert.deepEqual([port, host, logLevel, workers], [4000, '::1', 'info', 2]);
    }
  });

  it('a # ends a value without quotes, also before an @, unless it may be part of a password', (t) => {
    const { baseUrl } = loadConfig({}, folderWith(t, 'BASE_URL=https://c.example#ask-ops@c.example\n'));
    assert.equal(baseUrl, 'https://c.example');
    assert.throws(
      () => loadConfig({}, folderWith(t, 'DATABASE_URL=postgres://u:p#w@h/d\n')),
      /Percent-encode/,
    );
  });

  it('.env applies to commands run in its directory', async (t) => {
    const folder = folderWith(t, 'LOG_FORMAT=xml\n');
    const { code, stderr } = await run({ folder }, ['migrate']);
    assert.equal(code, 1);
    assert.match(stderr, /^changelog: LOG_FORMAT is "xml"; it must be auto, json or pretty\.\n$/);
  });
});
