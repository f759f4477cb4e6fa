// Sections in other languages than English.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import sections from '../../../locales/changelogs/sections.json' with { type: 'json' };
import { CHANGE_TYPES, type ChangeType } from '../../../src/domain/model.ts';
import { makeSingular } from '../../../src/import/body/names.ts';
import { findName, KINDS, LANGUAGES } from '../../../src/import/body/sections.ts';
import { change, changesOf, typesOf, versionOf } from './bodies.ts';

describe('sections in other languages', () => {
  /** Added, changed, deprecated, removed, fixed and security. */
  const NAMES: Readonly<Record<string, string>> = {
    Chinese: '新增, 变更, 弃用, 移除, 修复, 安全',
    'traditional Chinese': '新增, 變更, 棄用, 刪除, 修復, 安全性',
    Japanese: '追加, 変更, 非推奨, 削除, 修正, セキュリティ',
    Korean: '추가, 변경, 지원 중단, 제거, 수정, 보안',
    German: 'Hinzugefügt, Geändert, Veraltet, Entfernt, Behoben, Sicherheit',
    French: 'Ajouté, Modifié, Déprécié, Supprimé, Corrigé, Sécurité',
    Spanish: 'Añadido, Cambiado, Obsoleto, Eliminado, Corregido, Seguridad',
    Portuguese: 'Adicionado, Modificado, Obsoleto, Removido, Corrigido, Segurança',
    Russian: 'Добавлено, Изменено, Устарело, Удалено, Исправлено, Безопасность',
    Italian: 'Aggiunto, Modificato, Deprecato, Rimosso, Corretto, Sicurezza',
    Polish: 'Dodane, Zmienione, Zdezaprobowane, Usunięte, Naprawione, Bezpieczeństwo',
    Turkish: 'Eklendi, Değişti, Rafa kalktı, Kaldırıldı, Düzeltildi, Güvenlik',
    Dutch: 'Toegevoegd, Gewijzigd, Verouderd, Verwijderd, Opgelost, Beveiliging',
    Ukrainian: 'Додано, Змінено, Застаріло, Видалено, Виправлення, Безпека',
    Czech: 'Přidáno, Změněno, Zastaralé, Odstraněno, Opraveno, Bezpečnost',
    Swedish: 'Tillagt, Ändrat, Föråldrat, Borttaget, Åtgärdat, Säkerhet',
  };
  const TYPES = ['added', 'changed', 'deprecated', 'removed', 'fixed', 'security'] as const;

  for (const [language, names] of Object.entries(NAMES))
    it(`the six types in ${language}`, () => {
      const body = names
        .split(', ')
        .map((name) => `### ${name}\n- a`)
        .join('\n');
      assert.deepEqual(
        changesOf(body),
        TYPES.map((type) => change(type, 'a')),
      );
      assert.ok(Object.keys(LANGUAGES).includes(language.replace('traditional ', '')));
    });

  it('usual synonyms, longer names and names of two kinds', () => {
    const types: Readonly<Record<string, string>> = {
      'Neue Funktionen': 'added',
      Fehlerbehebungen: 'fixed',
      'Technische Verbesserungen': 'changed',
      'Behobene Probleme': 'fixed',
      'Bekannte Probleme': 'other',
      'Geplante Änderungen': 'other',
      'Nouvelles fonctionnalités': 'added',
      'Corrections de bugs': 'fixed',
      'Corrections mineures': 'fixed',
      Améliorations: 'changed',
      'Problèmes connus': 'other',
      'Nuevas características': 'added',
      'Corrección de errores': 'fixed',
      'Mejoras técnicas': 'changed',
      'Correções de segurança': 'security',
      Melhorias: 'changed',
      'Novidades e melhorias': 'changed',
      'Dokumentation und Tests': 'other',
      'Исправления ошибок': 'fixed',
      'Новые возможности': 'added',
      'Улучшения и оптимизация': 'changed',
      'Известные проблемы': 'other',
      'Correzioni di bug': 'fixed',
      'Poprawki błędów': 'fixed',
      'Düzeltilen Hatalar': 'fixed',
      'Teknik İyileştirmeler': 'changed',
      新特性: 'added',
      'Bug 修复': 'fixed',
      界面优化: 'changed',
      功能优化: 'changed',
      删除功能: 'removed',
      文档更新: 'other',
      新功能与特性: 'added',
      不具合修正: 'fixed',
      '機能追加・新機能': 'added',
      '버그 수정': 'fixed',
      '기능 개선/최적화': 'changed',
      '알려진 문제': 'other',
    };
    for (const [name, type] of Object.entries(types))
      assert.deepEqual(typesOf(`### ${name}\n- a`), [type], name);
  });

  it('case, accents, emoji, spaces and punctuation do not matter, nor a translation beside the name', () => {
    for (const name of [
      '버그수정',
      '버그 수정',
      '🐛 버그 수정：',
      '【Bug 修复】',
      'bug修复：',
      '🐞 修復',
      '［修复］',
    ])
      assert.deepEqual(changesOf(`### ${name}\n- a`), [change('fixed', 'a')], name);
    for (const name of ['GEÄNDERT', 'Modifie', 'DEĞİŞTİ', 'degisti', 'Изменён'])
      assert.deepEqual(changesOf(`### ${name}\n- a`), [change('changed', 'a')], name);
    for (const name of [
      'Added (추가)',
      '新增（Added）',
      'Hinzugefügt / Added',
      '新增 | Added',
      'Added {#added}',
    ])
      assert.deepEqual(changesOf(`### ${name}\n- a`), [change('added', 'a')], name);
    assert.deepEqual(changesOf('修复：\n\n- a\n\n【新增】\n\n- b'), [
      change('fixed', 'a'),
      change('added', 'b'),
    ]);
    assert.deepEqual(changesOf('### Mejoras\n- a'), [change('changed', '**Mejoras:** a')]);
  });

  it('names before texts, and first words where they are verbs', () => {
    const types: Readonly<Record<string, ChangeType>> = {
      '【新增】a': 'added',
      '[修复] a': 'fixed',
      '（优化）a': 'changed',
      '修复：a': 'fixed',
      '修复 a 的问题': 'fixed',
      新增a: 'added',
      'fix(cli)：a': 'fixed',
      'Behoben: a': 'fixed',
      'Исправлена ошибка': 'fixed',
      'Corrigé un bug': 'fixed',
      'Ein Zähler': 'other',
      'a のエラーを修正 (#12)': 'fixed',
      'a に b を追加しました。': 'added',
      'a 오류 수정': 'fixed',
      'Menü hinzugefügt.': 'added',
      'Un café': 'other',
    };
    for (const [text, type] of Object.entries(types)) assert.deepEqual(typesOf(`- ${text}`), [type], text);
  });

  it('contributors are not changes', () => {
    assert.deepEqual(versionOf('### 修复\n- a\n\n### 新贡献者\n- @katherine').changes, [
      change('fixed', 'a'),
    ]);
  });

  it('no name means two things', () => {
    const kinds = new Map<string, string>();
    for (const [language, rows] of Object.entries(LANGUAGES))
      for (const [kind, names] of Object.entries(rows)) {
        if (kind === 'breakingWords') continue;
        for (const name of names) {
          const key = makeSingular(name);
          assert.notEqual(key, '', name);
          assert.equal(kinds.get(key) ?? kind, kind, `${name} in ${language}`);
          kinds.set(key, kind);
        }
      }
    const english = Object.values(sections.English).flatMap((names) => names.map(makeSingular));
    assert.deepEqual(
      english.filter((name) => kinds.has(name)),
      ['general'],
    );
    for (const key of [...english, ...kinds.keys()]) assert.notEqual(findName(key), undefined, key);
  });

  it('every language has names for every type, and no kind that means nothing', () => {
    for (const [language, rows] of Object.entries(sections)) {
      for (const type of CHANGE_TYPES) assert.ok(rows[type].length > 0, `${type} in ${language}`);
      const kinds = [...Object.keys(KINDS), ...(language === 'English' ? [] : ['breakingWords'])];
      for (const [kind, names] of Object.entries(rows)) {
        assert.ok(kinds.includes(kind), `${kind} in ${language}`);
        assert.ok(names.length > 0, `${kind} in ${language}`);
        for (const name of names) assert.equal(name.trim(), name, language);
      }
    }
  });
});
