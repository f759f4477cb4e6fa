// What operations require: an API key, and the gate's password if it is on.
import type { OperationInput, OperationSurface } from './inputs.ts';
import type { OpenApiDocument, Operation } from './types.ts';

type Schemes = OpenApiDocument['components']['securitySchemes'];

const KEY = 'An API key of the team, created with `changelog key create`';

const WITHOUT_GATE: Schemes = {
  bearerAuth: { type: 'http', scheme: 'bearer', description: `${KEY}.` },
};

const WITH_GATE: Schemes = {
  basicGate: {
    type: 'http',
    scheme: 'basic',
    description: 'User name and password of the gate.',
  },
  apiKeyBesideGate: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: `${KEY}. \`Authorization\` has the password of the gate.`,
  },
};

export function securitySchemes(gated: boolean): Schemes {
  return gated ? WITH_GATE : WITHOUT_GATE;
}

export function acceptsKey(surface: OperationSurface): boolean {
  return surface === 'team' || surface === 'either';
}

/** One of these is enough; `{}` is none. */
export function securityOf({ surface }: OperationInput, gated: boolean): Operation['security'] {
  const withKey = gated ? { basicGate: [], apiKeyBesideGate: [] } : { bearerAuth: [] };
  if (surface === 'team') return [withKey];
  if (surface === 'either') return [gated ? { basicGate: [] } : {}, withKey];
  return gated ? [{ basicGate: [] }] : [];
}

export function needsKey({ security }: Operation): boolean {
  return (
    security.length > 0 &&
    security.every((schemes) => 'bearerAuth' in schemes || 'apiKeyBesideGate' in schemes)
  );
}

export function needsPassword({ security }: Operation): boolean {
  return security.some((schemes) => 'basicGate' in schemes);
}
