// Apart from the writer, so that the command line can name the formats without loading it.
export const FORMATS = ['yaml', 'json'] as const;
export type DocumentFormat = (typeof FORMATS)[number];
