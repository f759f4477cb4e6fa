// All API errors: code → status and the client's message.

export const API_ERRORS = {
  bad_request: {
    status: 400,
    message: 'The request is not valid HTTP/1.1. Check its first line and its headers.',
  },
  unauthorized: {
    status: 401,
    message: 'The API key is not valid. Check that it is complete and still active.',
  },
  forbidden: {
    status: 403,
    message: 'This API key may not read this product. Use a key of the team that may.',
  },
  not_found: {
    status: 404,
    message: 'Nothing was found here. Check the team, product and version in the path.',
  },
  method_not_allowed: { status: 405, message: 'This API only reads. Use GET or HEAD.' },
  request_timeout: { status: 408, message: 'The request took too long to arrive. Send it again in one go.' },
  precondition_failed: {
    status: 412,
    message: 'If-Match does not contain the ETag of the current content. Read it again without If-Match.',
  },
  uri_too_long: { status: 414, message: 'The URL is too long. Shorten the path or the query.' },
  rate_limited: { status: 429, message: 'Too many requests. Wait for the number of seconds in Retry-After.' },
  headers_too_large: {
    status: 431,
    message: 'There are too many headers, or they are too large. Send fewer.',
  },
  internal_error: { status: 500, message: 'Something went wrong on our side. Try again later.' },
  unavailable: { status: 503, message: 'The service cannot respond right now. Try again in a moment.' },
} as const satisfies Record<string, { status: number; message: string }>;

export type ApiErrorCode = keyof typeof API_ERRORS;

type ApiErrorOptions = { message?: string; headers?: Record<string, string | number>; cause?: unknown };

/** Thrown at the edge. `message` and `headers` go to the client; `cause` only to the log. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ApiErrorCode;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: string;

  constructor(code: ApiErrorCode, { message, headers = {}, cause }: ApiErrorOptions = {}) {
    // An expected response needs no stack trace, which would take longer than the whole response.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message ?? API_ERRORS[code].message, { cause });
    Error.stackTraceLimit = stackTraceLimit;
    this.code = code;
    this.headers = headers;
    this.body = JSON.stringify({ error: { code, message: this.message } });
  }

  get status(): number {
    return API_ERRORS[this.code].status;
  }
}

/** The most frequent error, built once. */
export const NOT_FOUND = new ApiError('not_found');

type Place = readonly [file: string, line: number];
type RefusalOptions = ErrorOptions & Readonly<{ at?: Place | null; more?: readonly string[] }>;

/** An expected failure of a command: its message is one line for the user. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  /** Without the place. */
  readonly said: string;
  /** The file and the line that it is about, which begin the message. */
  readonly at: Place | null;
  /** More lines, for a document with several problems. */
  readonly more: readonly string[];

  constructor(said: string, { at = null, more = [], ...options }: RefusalOptions = {}) {
    super(at === null ? said : `${at[0]}:${at[1]}: ${said}`, options);
    this.said = said;
    this.at = at;
    this.more = more;
  }
}

const NO_SPACE_CODES = ['ENOSPC', 'EDQUOT', 'EFBIG'];

/** Whether the disk is full, or a quota or file size limit is reached. */
export function isNoSpace(error: unknown): boolean {
  return NO_SPACE_CODES.includes((error as NodeJS.ErrnoException).code ?? '');
}
