import type { Language } from './language.ts';

export const french: Language = {
  added: `Ajouté, Ajoutée, Ajout, Nouveau, Nouveauté, Nouvelle, Nouvelle fonctionnalité, Fonctionnalité, Nouvelle fonction,
    Quoi de neuf`,
  changed: 'Modifié, Modifiée',
  changes: 'Modification, Changement',
  enhanced: 'Évolution',
  improved: 'Amélioré, Amélioration, Optimisé, Mise à jour, Renommé, Refonte, Refactorisation, Dépendance',
  deprecated: 'Déprécié, Dépréciée, Dépréciation, Obsolète',
  removed: 'Supprimé, Supprimée, Suppression, Retiré, Retrait, Enlevé',
  fixed: `Corrigé, Corrigée, Correction, Correctif, Correction de bug, Correction de bogue,
    Corrections d'erreurs, Bug corrigé, Bogue corrigé, Résolu, Réparé`,
  security: 'Sécurité, Correctif de sécurité, Correction de sécurité, Faille de sécurité',
  other: 'Technique, Interne, Problème connu, Remerciement, Contributeur, Nettoyage, À noter',
  vague: 'Divers, Autre, Autre changement, Autre modification, Général, Points forts',
  breaking: 'incompatib, rupture, cassant, non rétrocompatib',
};
