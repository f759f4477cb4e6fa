/** Undefined if it is not JSON, or if it has duplicate fields, of which JSON.parse takes the last. */
export function parseStrictJson(text: string, fields: number): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return countFields(value) === fields ? value : undefined;
  } catch {
    return undefined;
  }
}

function countFields(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = Array.isArray(value) ? 0 : Object.keys(value).length;
  for (const inner of Object.values(value)) if (typeof inner === 'object') count += countFields(inner);
  return count;
}
