// Server URLs with credentials: `postgres://USER:PASSWORD@HOST:PORT/NAME`, `redis://…`.

/** Client parameters whose values may contain an @. */
const PARAMETERS_WITH_AT = [
  'application_name',
  'dbname',
  'fallback_application_name',
  'host',
  'options',
  'passfile',
  'password',
  'sslcert',
  'sslkey',
  'sslpassword',
  'sslrootcert',
  'user',
  'username',
];

const PARTS = /^\w+:\/\/(?<authority>[^/?#]*)(?<path>[^?#]*)(?:\?(?<query>[^#]*))?(?<fragment>.*)$/s;

/**
 * Whether characters of the user name or password are not percent-encoded, so that their end is unclear. A URL parser
 * would take part of the password for the host, and errors would print it.
 */
export function isAmbiguous(url: string): boolean {
  const { authority = '', path = '', query = '', fragment = '' } = PARTS.exec(url)?.groups ?? {};
  return (
    authority.split('@').length > 2 ||
    `${path}${fragment}`.includes('@') ||
    query.split('&').some((parameter) => parameter.includes('@') && !mayHaveAt(parameter))
  );
}

function mayHaveAt(parameter: string): boolean {
  return PARAMETERS_WITH_AT.includes(parameter.split('=', 1)[0] as string);
}

/** Splits at commas followed by a scheme; other commas are part of a URL. */
function splitUrls(urls: string): string[] {
  return urls.split(/,(?=\s*\w+:\/\/)/).map((url) => url.trim());
}

/** Whether one of these comma-separated URLs has a password, possibly in its query. */
export function hasPassword(urls: string): boolean {
  return splitUrls(urls).some((text) => {
    const url = isAmbiguous(text) ? null : URL.parse(text);
    if (url === null) return /:\/\/.*@/s.test(text);
    return url.password !== '' || /[?&]\w*password=/i.test(url.search);
  });
}

const SERVER_URL = /\b((?:postgres(?:ql)?|rediss?):\/\/)(?!USER:PASSWORD@|HOST:PORT)[^\n]*@/gi;
/** After a colon, anything that is not a port is a password, which may contain spaces. */
const OTHER_URL =
  /:\/\/(?!USER:PASSWORD@|HOST:PORT)(?:[^\s/:[]*:(?!\d+(?:\W|$))[^\n]*|[^\s/:]*:\S+|[^\s/?#]+)@/g;

/**
 * Hides everything up to the last @, because a password's end is unclear. Other servers' URLs may have an @ in the
 * path. Messages about settings contain examples in capitals.
 */
export function hideCredentials(text: string): string {
  return text
    .replaceAll(/([?&]\w*password=)[^\s&']+/gi, '$1…')
    .replaceAll(SERVER_URL, '$1…@')
    .replaceAll(OTHER_URL, '://…@');
}
