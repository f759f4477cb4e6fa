import type { Language } from './language.ts';

export const german: Language = {
  added: `Hinzugefügt, Neu, Neue, Neuerung, Neuerungen, Neuigkeiten, Neue Funktion, Neue Funktionen, Funktionen,
    Ergänzt, Ergänzungen, Hinzufügungen, Was ist neu`,
  changed: 'Geändert',
  changes: 'Änderung, Änderungen',
  enhanced: 'Erweitert, Erweiterung, Erweiterungen',
  improved: `Verbessert, Verbesserung, Verbesserungen, Optimiert, Optimierung, Optimierungen, Leistung, Aktualisiert,
    Aktualisierung, Aktualisierungen, Überarbeitet, Angepasst, Anpassung, Anpassungen, Umbenannt, Abhängigkeiten`,
  deprecated: 'Veraltet, Abgekündigt, Missbilligt',
  removed: 'Entfernt, Entfernungen, Gelöscht, Entfallen',
  fixed: `Behoben, Fehlerbehebung, Fehlerbehebungen, Fehler behoben, Behobene Fehler, Behobene Probleme, Fehlerkorrektur,
    Fehlerkorrekturen, Korrigiert, Korrektur, Korrekturen, Repariert, Problembehebungen, Fehler`,
  security: 'Sicherheit, Sicherheitskorrekturen, Sicherheitsupdates, Sicherheitslücken',
  other: `Dokumentation, Intern, Technisch, Technische Details, Infrastruktur, Hinweis, Hinweise, Wartung, Danke,
    Bekannte Probleme, Bekannte Fehler, Geplant, Unverändert`,
  vague: 'Sonstiges, Sonstige Änderungen, Weitere Änderungen, Weiteres, Verschiedenes, Allgemein',
  breaking: 'inkompatib, nicht abwärtskompatib, nicht kompatib',
};
