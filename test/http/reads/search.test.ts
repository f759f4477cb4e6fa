import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { execute } from '../../../support/databases/engine.ts';
import { sharedScope, temporaryFolder } from '../../../support/processes/scope.ts';
import { startApp, type TestApp } from '../../../support/program/app.ts';
import { apply, type Sandbox } from '../../../support/program/command.ts';
import { becomes } from '../../support/becomes.ts';

const FEED = '/api/v1/public/teams/acme/products/rocket/changelog';

/** A text, words that find it, and words that do not. */
const TEXTS: Record<string, [text: string, found: readonly string[], notFound: readonly string[]]> = {
  accents: [
    'Éclairs naïfs à Ångström',
    ['éclairs', 'ÉCLAIRS', 'NAÏFS', 'ångström', 'à', 'éclair'],
    ['eclairs', 'naifs', 'clairs'],
  ],
  composed: ['Café crème', ['Cafe\u0301', 'CRE\u0300ME'], ['cafe']],
  german: ['Die Größe der STRASSE', ['größe', 'GRÖßE', 'strasse'], ['große', 'straße']],
  greek: ['Ο ΣΊΣΥΦΟΣ και η ώρα', ['σίσυφος', 'Σίσυφοσ', 'ΏΡΑ'], ['σισυφος', 'ωρα']],
  cyrillic: ['Исправлено обновление', ['исправлено', 'ОБНОВЛЕНИЕ', 'обновлен'], ['новлен', 'исправлены']],
  turkish: ['İzmir ve ISPARTA', ['izmir', 'İZMİR', 'İzmir', 'isparta', 'ISPARTA'], ['zmir']],
  vietnamese: ['Đã sửa tiếng Việt', ['tiếng', 'VIỆT', 'sửa tiếng', 'ti', 'VI'], ['ng', 'tieng']],
  'vietnamese with a rocket': ['🚀Đã sửa tiếng Việt', ['tiếng', 'VIỆT', 'đã sửa', 'đ'], ['ng', 'tieng']],
  'old greek with a rocket': ['Ἀθῆναι 🚀', ['ἀθῆναι'], ['θ']],
  'chinese, with words in between': [
    `${'修复了登录问题'.repeat(40)}API错误，支持iOS系统`,
    ['登录', '修复', '修复了登录问题', 'api', 'iOS', 'API错误'],
    ['录登', '退出', 'PI', 'OS'],
  ],
  japanese: [
    '新しいAPIを追加しました',
    ['api', 'API', '新しい', '追加', 'APIを追加', '新しいAPI', 'AP'],
    ['PI', 'apis', '削除'],
  ],
  'japanese, with the mark of a long vowel': [
    'ユーザーIDとサーバーAPI',
    ['id', 'API', 'ユーザー', 'サーバー', 'ユーザーID', 'バーAPI', 'サー'],
    ['ID2', 'ユーカリ', 'ーーー', 'ユザ'],
  ],
  'japanese, with digits of all widths': [
    '機能①とＡＢＣ機能12追加',
    ['12', 'ａｂｃ', '機能', '①', '1'],
    ['2', 'ｂ'],
  ],
  korean: ['로그인 오류를 수정했습니다', ['로그인', '오류', '수정'], ['로그아웃']],
  arabic: ['تم إصلاح تسجيل الدخول', ['إصلاح', 'الدخول'], ['الخروج']],
  hebrew: ['תוקן באג בהתחברות', ['באג', 'תוקן'], ['תקלה']],
  hindi: ['लॉगिन की समस्या ठीक की गई', ['समस्या', 'लॉगिन'], ['त्रुटि']],
  thai: ['แก้ไขปัญหาการเข้าสู่ระบบ', ['ปัญหา', 'เข้าสู่ระบบ'], ['ออกจาก']],
  georgian: ['გამოსწორდა შესვლის ხარვეზი', ['ხარვეზი', 'შესვლის'], ['გასვლა']],
  emoji: [
    '🚀Launch🎉 and 👩‍🚀crew',
    ['launch', '🚀 launch', '🚀launch🎉', 'crew', 'laun'],
    ['🚀', '🎉🎉', 'aunch'],
  ],
  'emoji with signs of their own': [
    '⚠️Breaking ❤️API 1️⃣step',
    ['breaking', 'API', 'step', '⚠️ breaking', '❤️API', '1'],
    ['❤️', 'reaking', '9️⃣'],
  ],
  'accents apart from their letters': [
    'Cafe\u0301 ẹ̀kọ́ x̅y',
    ['ẹ̀kọ́', 'ẸKỌ́'.replace('Ẹ', 'Ẹ\u0300'), 'x̅y'],
    ['cafes', 'é', 'kọ'],
  ],
  'marks before letters with capitals': [
    'ที่API और कीSDK',
    ['api', 'SDK', 'ที่API', 'ที่', 'की', 'sd'],
    ['PI', 'dk'],
  ],
  punctuation: [
    '(parser): "quoted", foo_bar; C++/Rust — e.g. node.js!',
    ['parser', 'quoted', 'foo', 'bar', 'foo_bar', 'c++', 'rust', 'node.js', 'e.g.', '«parser»'],
    ['node-ts', 'bar_foo', 'js.node'],
  ],
  operators: [
    'cats AND dogs NEAR the house',
    ['cats and dogs', 'NEAR', 'near', 'ca*', 'cat:*'],
    ['cats OR parrots', 'cats NOT parrots', 'parrots OR cats', '*ats', '^dogs parrots'],
  ],
};

describe('search (R32)', () => {
  const scope = sharedScope();
  const sandbox: Sandbox = { folder: temporaryFolder(scope) };
  let app: TestApp;
  const names = Object.keys(TEXTS);
  before(async () => {
    const texts = names.map((name, index) => version(`0.0.${index}`, TEXTS[name]?.[0] ?? ''));
    await apply(sandbox, document([...texts, ...NUMBERED, SPREAD]));
    ({ app } = await startApp(scope, sandbox));
  });
  const find = async (q: string, of = app) => {
    const { statusCode, body } = await of.inject(`${FEED}?q=${encodeURIComponent(q)}`);
    assert.equal(statusCode, 200, `${q}: ${body}`);
    return JSON.parse(body).data.versions.map((found: { version: string }) => found.version) as string[];
  };

  for (const [index, [name, [text, found, notFound]]] of Object.entries(TEXTS).entries()) {
    it(`search finds words in any case: ${name}`, async () => {
      for (const q of found) assert.ok((await find(q)).includes(`0.0.${index}`), `${q} is in ${text}`);
      for (const q of notFound)
        assert.ok(!(await find(q)).includes(`0.0.${index}`), `${q} is not in ${text}`);
    });
  }

  it('search finds a version number only as adjacent words', async () => {
    assert.deepEqual(await find('2.1.0'), ['2.1.0']);
    assert.deepEqual(await find('1.2.0'), ['1.2.0']);
    assert.deepEqual(await find('v2.1.0'), []);
    assert.deepEqual((await find('2 1 0')).sort(), ['0.0.20', '0.2.10', '1.2.0', '2.1.0']);
    assert.deepEqual((await find('2.1')).sort(), ['0.2.10', '2.1.0'], 'only the last word may go on');
  });

  it('search finds words by their beginning, of any length', async () => {
    for (const q of ['s', 'sp', 'spr', 'spre', 'sprea', 'spread', 'spread-9', 'titl desc', 'SPREAD.9'])
      assert.ok((await find(q)).includes('spread-9'), q);
    for (const q of ['pread', 'spreads', 'spre-9', '9-spread', 'titl desx'])
      assert.ok(!(await find(q)).includes('spread-9'), q);
  });

  it('search needs all words, anywhere in label, title, description or changes', async () => {
    assert.deepEqual(await find('spread titled described changed'), ['spread-9']);
    assert.deepEqual(await find('changed DESCRIBED titled'), ['spread-9']);
    assert.deepEqual(await find('later'), ['spread-9']);
    assert.deepEqual(await find('titled missing'), []);
    assert.deepEqual(await find('added'), [], 'the type of a change is no word of it');
  });

  it('search words are never query syntax, however many there are', async () => {
    for (const q of HOSTILE) await find(q);
    const alphabet = Array.from(
      { length: 250 },
      (_, index) => String.fromCodePoint(0x0430 + (index % 32)) + index,
    );
    await find(alphabet.join(' ').slice(0, 500));
    await find(alphabet.join('-').slice(0, 500));
    await find(
      Array.from({ length: 250 }, (_, index) => String.fromCodePoint(0x100 + 2 * index))
        .join(' ')
        .slice(0, 500),
    );
    await find(Array.from({ length: 250 }, (_, index) => String.fromCodePoint(0x4e00 + index)).join(' '));
    await find('ﬀ'.repeat(500));
    await find(`a${'\u0344'.repeat(499)}`);
    assert.deepEqual(await find('!!! "\' 🚀'), [], 'no word is no restriction that anything passes');
  });

  it('search finds the current text, whoever wrote it', async () => {
    const steps: [statement: string, found: string, gone: string | null][] = [
      [`update versions set title = 'zebra' where label = 'spread-9'`, 'zebra', 'titled'],
      [`update versions set description = 'yak' where label = 'spread-9'`, 'yak', 'described'],
      [`update changes set text = 'xerus' where text = 'Changed.'`, 'xerus', 'changed'],
      [`update versions set label = 'wombat' where label = 'spread-9'`, 'wombat', 'spread'],
      [
        `insert into changes (id, version_id, position, type, text, breaking)
        select 'chg_new', id, 7, 'other', 'vole', 0 from versions where label = 'wombat'`,
        'vole',
        null,
      ],
      [`delete from changes where id = 'chg_new'`, 'wombat', 'vole'],
    ];
    for (const [statement, found, gone] of steps) {
      assert.equal(await execute(sandbox, statement), 1, statement);
      await becomes(
        async () => [(await find(found)).length, gone === null ? 0 : (await find(gone)).length],
        [1, 0],
      );
    }
    await execute(sandbox, `update versions set status = 'draft' where label = 'wombat'`);
    await becomes(() => find('zebra'), []);
    await execute(sandbox, `delete from versions where label = 'wombat'`);
    await becomes(() => find('yak'), []);
  });

  it('search finds a text of 100,000 characters by its first words', async (t) => {
    const own: Sandbox = { folder: temporaryFolder(t) };
    const written: Record<string, string> = {
      word: 'first '.padEnd(TEXT_CHARACTERS, 'a'),
      words: `first ${Array.from({ length: 200_000 }, (_, index) => `w${index.toString(36)}`).join(' ')}`,
      wide: `first 機能 ${'𝔘𐐀'.repeat(TEXT_CHARACTERS)}`,
    };
    const versions = Object.entries(written).map(([label, text]) =>
      version(label, '', { description: text.slice(0, TEXT_CHARACTERS).toWellFormed() }),
    );
    await apply(own, document(versions));
    await execute(
      own,
      `update versions set title = 'second ' || substr(description, 7, 900) where label <> 'wide'`,
    );
    const { app: large } = await startApp(t, own);
    assert.deepEqual((await find('first', large)).sort(), ['wide', 'word', 'words']);
    assert.deepEqual((await find('second first', large)).sort(), ['word', 'words']);
    assert.deepEqual(await find('機能', large), ['wide']);
  });
});

const TEXT_CHARACTERS = 100_000;

/** Syntax of the engines, if it reached them. */
const HOSTILE = [
  ...`" ' "" "a 'a a"b it's * a* ^a a:b body:a ( ) OR +a -a !a a:* a:ABCD \\ a\\ \\' @c #added @cfoo $1 ? % _ $$`.split(
    ' ',
  ),
  ...['{a b}: c', 'NEAR(a b, 2)', 'a AND', 'NOT a', 'a & b', 'a | b', 'a <-> b', 'a <2> b', "'a' & 'b'"],
  ...["'@p' | a", "'; drop table versions; --", "' or 1=1 --", '\u0000', 'a\u0000b', '\ufffe', '\u202e'],
];

const NUMBERED = [version('2.1.0', 'Two'), version('1.2.0', 'One'), version('0.2.10', 'Ten')];
const SPREAD = version('spread-9', 'Titled', {
  description: 'Described.',
  changes: [
    { type: 'added', text: 'Changed.' },
    { type: 'other', text: 'Later.' },
  ],
});

function version(label: string, title: string, fields: object = {}) {
  const changes = [{ type: 'other', text: '-' }];
  return { version: label, title, status: 'published', publishedAt: '2026-05-04', changes, ...fields };
}

function document(versions: readonly object[]) {
  const changelog = { status: 'published', versions };
  const product = { slug: 'rocket', name: 'Rocket', status: 'published', changelog };
  return { team: { slug: 'acme', name: 'Acme', visibility: 'public' }, products: [product] };
}
