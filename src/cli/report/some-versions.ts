/** Some of `count` versions by name, each with a time. */
export function nameSome(first: readonly Readonly<{ name: string; time: string }>[], count: number): string {
  const named = first.map(({ name, time }) => `${name} (${time})`).join(', ');
  const rest = count - first.length;
  return rest > 0 ? `${named} and ${rest.toLocaleString('en')} more` : named;
}
