// What is for nobody else to read: API keys, and the passwords in addresses.

/** Is there a password in one of these addresses, which are comma-separated? It may stand in the query, too. */
export function holdsPassword(urls: string): boolean {
  return urls
    .split(',')
    .map((url) => URL.parse(url.trim()))
    .some((url) => url !== null && (url.password !== '' || /[?&]\w*password=/i.test(url.search)));
}

/** Without the keys and passwords in it that somebody typed in a wrong place. `USER:PASSWORD` is our own example. */
export function hideSecrets(text: string): string {
  return text
    .replaceAll(/clk_\w+/g, 'clk_…')
    .replaceAll(/:\/\/(?!USER:PASSWORD@)[^\s/:]*:\S+@/g, '://…@')
    .replaceAll(/([?&]\w*password=)[^\s&']+/gi, '$1…');
}
