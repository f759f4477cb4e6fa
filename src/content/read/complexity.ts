// The memory that a parser needs grows with the number of values in a text, however small they are. So they are counted
// first: js-yaml needs 150 to 350 bytes for each token, JSON.parse less.
const YAML_TOKENS_MAX = 600_000;
export const JSON_TOKENS_MAX = 1_500_000;

/** Characters that begin, end or separate values in YAML. They also occur in text, but rarely. */
const IS_TOKEN = new Uint8Array(256);
for (const character of Buffer.from('\n,:-?[]{}&*#"\'!|>')) IS_TOKEN[character] = 1;

export function isTooComplex(yaml: Uint8Array): boolean {
  if (yaml.length <= YAML_TOKENS_MAX) return false;
  let tokens = 0;
  for (const byte of yaml) tokens += IS_TOKEN[byte] as number;
  return tokens > YAML_TOKENS_MAX;
}
