// What leaves for a hook. It is a value, so that a dry run shows what would be sent.

export type OutgoingRequest = Readonly<{
  method: 'POST' | 'PURGE';
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}>;

export type OutgoingCommand = Readonly<{
  command: readonly [program: string, ...parameters: string[]];
  /** For its standard input. */
  input: string;
  /** Variables that are added to its environment, or left out of it if they are undefined. */
  variables: Readonly<Record<string, string | undefined>>;
}>;

export type Outgoing = OutgoingRequest | OutgoingCommand;

export type DeliveryLimits = Readonly<{
  /** For everything: looking up the host, connecting, and the response; or for the program to end. */
  timeLimitMs: number;
  /** Ends it early. */
  signal?: AbortSignal;
}>;

/** Why a delivery failed. The message has neither the URL nor a secret, because it is logged and stored. */
export class DeliveryError extends Error {
  /** How long the receiver asks to wait, from its `Retry-After`. */
  readonly retryAfterMs: number | null;

  constructor(message: string, retryAfterMs: number | null = null) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}
