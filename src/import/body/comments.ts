/** Whether a text has nothing but comments, which readers do not see. */
export function isComment(text: string): boolean {
  let at = 0;
  do {
    if (!text.startsWith('<!--', at)) return false;
    const end = text.indexOf('-->', at + 4);
    if (end === -1) return false;
    at = end + 3;
    while (/\s/.test(text[at] ?? '')) at++;
  } while (at < text.length);
  return true;
}
