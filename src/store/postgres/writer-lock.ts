/** An arbitrary number, the same for all writers: one of them writes at a time. */
export const WRITER_LOCK = 7_423_116_021;
