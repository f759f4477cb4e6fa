import type { Language } from './language.ts';

export const italian: Language = {
  added: `Aggiunto, Aggiunta, Aggiunti, Aggiunte, Nuovo, Nuovi, Nuove, Nuova funzionalità, Nuove funzionalità, Funzionalità,
    Nuova funzione, Nuove funzioni, Novità, Implementato`,
  changed: 'Modificato, Modificati, Cambiato',
  changes: 'Modifica, Modifiche, Cambiamento, Cambiamenti',
  enhanced: '',
  improved: `Migliorato, Miglioramento, Miglioramenti, Ottimizzato, Ottimizzazione, Ottimizzazioni, Prestazioni, Aggiornato,
    Aggiornamento, Aggiornamenti, Rinominato, Dipendenze`,
  deprecated: 'Deprecato, Deprecati, Obsoleto, Obsoleti',
  removed: 'Rimosso, Rimossi, Rimozioni, Eliminato, Eliminati',
  fixed: `Corretto, Corretti, Correzione, Correzioni, Correzione di bug, Correzioni di bug, Correzione bug, Bug corretti,
    Bug risolti, Risolto, Risolti, Sistemato`,
  security: 'Sicurezza, Correzioni di sicurezza',
  other: `Documentazione, Interno, Infrastruttura, Problemi noti, Ringraziamenti, Manutenzione, Migrazione, Pulizia, Tecnico,
    Dettagli tecnici`,
  vague: 'Altro, Altre modifiche, Altri cambiamenti, Varie, Generale',
  breaking: 'incompatib, rottura, non retrocompatib',
};
