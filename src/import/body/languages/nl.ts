import type { Language } from './language.ts';

export const dutch: Language = {
  added:
    'Toegevoegd, Toevoegingen, Nieuw, Nieuwe, Nieuwe functies, Nieuwe functionaliteit, Nieuwe mogelijkheden',
  changed: 'Gewijzigd, Veranderd, Aangepast',
  changes: 'Wijziging, Wijzigingen, Veranderingen, Aanpassingen',
  enhanced: '',
  improved: 'Verbeterd, Verbetering, Verbeteringen, Optimalisatie, Prestaties, Bijgewerkt, Afhankelijkheden',
  deprecated: 'Verouderd, Afgekeurd',
  removed: 'Verwijderd, Verwijderingen',
  fixed:
    'Opgelost, Oplossingen, Opgeloste problemen, Gerepareerd, Hersteld, Verholpen, Gecorrigeerd, Bugoplossingen',
  security: 'Beveiliging, Veiligheid, Beveiligingsupdates',
  other: 'Documentatie, Infrastructuur, Bekende problemen, Onderhoud',
  vague: 'Overig, Overige, Overige wijzigingen, Diversen, Algemeen',
  breaking: 'incompatib, brekend, niet compatib',
};

export const swedish: Language = {
  added: 'Tillagt, Tillagd, Tillagda, Nytt, Nya, Ny funktion, Nya funktioner, Nyheter, Lade till',
  changed: 'Ändrat, Ändrad, Ändrade',
  changes: 'Ändring, Ändringar',
  enhanced: '',
  improved:
    'Förbättrat, Förbättring, Förbättringar, Optimeringar, Prestanda, Uppdaterat, Uppdateringar, Beroenden',
  deprecated: 'Föråldrat, Föråldrad, Utfasat',
  removed: 'Borttaget, Borttagen, Borttagna',
  fixed:
    'Åtgärdat, Åtgärdad, Rättat, Rättad, Rättningar, Fixat, Buggfix, Buggfixar, Felrättningar, Korrigeringar',
  security: 'Säkerhet, Säkerhetsuppdateringar',
  other: 'Tester, Internt, Kända problem, Underhåll',
  vague: 'Övrigt, Övriga ändringar, Diverse, Allmänt',
  breaking: 'inkompatib, bakåtinkompatib, brytande',
};
