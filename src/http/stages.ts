// A request is a straight line of stages, and this is what leads it from one to the next.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Refuse } from './errors.ts';

/** It goes on, is refused with an error, or was answered and is left at that. */
export type Stage = (request: FastifyRequest, reply: FastifyReply, next: (error?: unknown) => void) => void;

/**
 * Everything happens in the first hook of the framework: what it does after that is about bodies, which are never read,
 * and would cost more than all of our stages. Whatever goes wrong on the way is answered here, too.
 */
export function passStages(refuse: Refuse) {
  return (stages: readonly Stage[], request: FastifyRequest, reply: FastifyReply): void => {
    let index = 0;
    const next = (error?: unknown): void => {
      try {
        if (error === undefined) stages[index++]?.(request, reply, next);
        else refuse(request, reply, error);
      } catch (thrown) {
        refuse(request, reply, thrown);
      }
    };
    next();
  };
}
