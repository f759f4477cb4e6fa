// The one way by which answers leave: headers as the stages have put them together, then the bytes, then what is noted.
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * The bytes of an answer. Small ones as a text of one character a byte: Node.js sends such a text in one piece together
 * with the headers, which is cheaper than to send two pieces.
 */
export type Body = string | Buffer;

export type Send = (request: FastifyRequest, reply: FastifyReply, status: number, body: Body | null) => void;

/** What is told of an answer when it has been handed to the socket. */
export type Sent = Readonly<{ status: number; bytes: number }>;
export type Note = (request: FastifyRequest, sent: Sent) => void;

/** The framework's own way would look at every header and at every kind of payload; ours are ready. */
export function createSend(notes: readonly Note[]): Send {
  return (request, reply, status, body) => {
    reply.hijack();
    const { raw } = reply;
    if (body !== null) reply.head.push('content-length', String(body.length));
    raw.writeHead(status, reply.head);
    const isWanted = body !== null && request.method !== 'HEAD';
    if (isWanted) raw.end(body, 'latin1');
    else raw.end();
    const sent = { status, bytes: isWanted ? body.length : 0 };
    for (const note of notes) note(request, sent);
  };
}
