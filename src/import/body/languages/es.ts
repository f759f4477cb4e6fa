import type { Language } from './language.ts';

export const spanish: Language = {
  added: `Añadido, Agregado, Nuevo, Nueva, Nueva característica, Nueva funcionalidad, Nueva función, Nuevas funciones,
    Novedad, Novedades, Característica, Funcionalidad, Funcionalidades, Adiciones, Incorporado`,
  changed: 'Cambiado, Modificado',
  changes: 'Cambio, Modificaciones',
  enhanced: '',
  improved: `Mejorado, Mejora, Optimizado, Optimización, Optimizaciones, Rendimiento, Actualizado, Actualización,
    Actualizaciones, Renombrado, Refactorización, Dependencia`,
  deprecated: 'Obsoleto, En desuso, Deprecado, Desaprobado',
  removed: 'Eliminado, Eliminaciones, Quitado, Borrado, Suprimido',
  fixed: `Corregido, Corrección, Correcciones, Corrección de errores, Correcciones de errores, Error corregido,
    Errores corregidos, Bug corregido, Arreglado, Arreglo, Solucionado, Reparado, Resuelto, Problema resuelto, Errores`,
  security: 'Seguridad, Correcciones de seguridad, Parche de seguridad',
  other: `Documentación, Prueba, Interno, Infraestructura, Problema conocido, Agradecimiento, Nota, Mantenimiento, Migración,
    Limpieza, Técnico, Detalles técnicos`,
  vague: 'Otro, Otro cambio, Vario, Miscelánea, Misceláneo, Destacado',
  breaking: 'incompatib, ruptura, rompe, disruptiv',
};

export const portuguese: Language = {
  added: `Adicionado, Adição, Adições, Novo, Novas, Novidade, Novo recurso, Nova funcionalidade,
    Recurso, Funcionalidade, Incluído, Implementado`,
  changed: 'Modificado, Alterado, Mudado',
  changes: 'Mudança, Alteração, Alterações, Modificações',
  enhanced: '',
  improved: `Melhorado, Melhoria, Otimizado, Otimização, Otimizações, Desempenho, Atualizado, Atualização, Atualizações,
    Renomeado, Refatorado, Refatoração, Ajuste, Dependência`,
  deprecated: 'Obsoleto, Descontinuado, Depreciado',
  removed: 'Removido, Remoção, Remoções, Excluído, Apagado',
  fixed: `Corrigido, Correção, Correções, Correção de bugs, Correções de bugs, Correção de erros, Correções de erros,
    Bug corrigido, Consertado, Resolvido, Problema resolvido`,
  security: 'Segurança, Correções de segurança',
  other: `Documentação, Teste, Interno, Infraestrutura, Problema conhecido, Agradecimento, Nota, Manutenção, Migração, Limpeza,
    Técnico, Detalhes técnicos`,
  vague: 'Outro, Outra mudança, Outras alterações, Diverso, Geral, Destaque',
  breaking: 'incompative, incompatib, quebra, ruptura',
};
