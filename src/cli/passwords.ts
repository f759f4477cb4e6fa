/** Is there a password in one of these addresses, which are comma-separated? It may stand in the query, too. */
export function holdsPassword(urls: string): boolean {
  return urls
    .split(',')
    .map((url) => URL.parse(url.trim()))
    .some((url) => url !== null && (url.password !== '' || /[?&]\w*password=/i.test(url.search)));
}
