// The trace that a request is part of (W3C Trace Context), for the log.

export const TRACE_HEADER = 'traceparent';

/** Named as OpenTelemetry names them in logs. */
export type Trace = Readonly<{ trace_id: string; span_id: string; trace_flags: string }>;

/**
 * Version 00 has 55 characters, later ones may have more, and ff is not a version. Of two lines, which arrive as one text
 * with a comma, neither counts.
 */
const TRACEPARENT =
  /^(?!ff|00.{54})[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(?:-[^,]*)?$/;

export function parseTraceparent(sent: string): Trace | null {
  const [, trace_id, span_id, trace_flags] = TRACEPARENT.exec(sent) ?? [];
  return trace_id && span_id && trace_flags ? { trace_id, span_id, trace_flags } : null;
}
