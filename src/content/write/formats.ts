// Separate from the writer, so that the command line can list the formats without loading it.
export const FORMATS = ['yaml', 'json'] as const;
export type DocumentFormat = (typeof FORMATS)[number];
