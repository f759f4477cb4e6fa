import type { Language } from './language.ts';

export const polish: Language = {
  added: `Dodane, Dodano, Nowe, Nowość, Nowości, Nowa funkcja, Nowe funkcje, Nowe funkcjonalności, Nowe możliwości, Funkcje,
    Co nowego`,
  changed: 'Zmienione, Zmieniono',
  changes: 'Zmiana, Zmiany',
  enhanced: '',
  improved: `Ulepszone, Ulepszono, Ulepszenie, Ulepszenia, Usprawniono, Usprawnienia, Zoptymalizowano, Optymalizacja,
    Optymalizacje, Wydajność, Zaktualizowano, Aktualizacja, Aktualizacje, Refaktoryzacja, Zależności`,
  deprecated: 'Zdezaprobowane, Przestarzałe, Wycofywane',
  removed: 'Usunięte, Usunięto',
  fixed:
    'Naprawione, Naprawiono, Poprawka, Poprawki, Poprawione, Poprawiono, Poprawki błędów, Naprawa błędów, Naprawione błędy, Błędy',
  security: 'Bezpieczeństwo, Poprawki bezpieczeństwa',
  other: 'Dokumentacja, Testy, Wewnętrzne, Znane problemy, Znane błędy, Podziękowania, Uwagi, Migracja',
  vague: 'Inne, Inne zmiany, Pozostałe, Pozostałe zmiany, Różne, Ogólne',
  breaking: 'niekompatybil, niezgodn, łamiąc',
};

export const czech: Language = {
  added: 'Přidáno, Nové, Novinky, Nová funkce, Nové funkce',
  changed: 'Změněno',
  changes: 'Změna, Změny',
  enhanced: '',
  improved: 'Vylepšeno, Vylepšení, Zlepšení, Optimalizace, Výkon, Aktualizováno, Aktualizace, Závislosti',
  deprecated: 'Zastaralé',
  removed: 'Odstraněno, Odebráno, Smazáno',
  fixed: 'Opraveno, Oprava, Opravy, Oprava chyb, Opravy chyb, Opravené chyby',
  security: 'Bezpečnost, Zabezpečení',
  other: 'Dokumentace, Interní, Známé problémy, Údržba',
  vague: 'Ostatní, Různé, Další změny, Obecné',
  breaking: 'nekompatib, zpětně nekompatib',
};
