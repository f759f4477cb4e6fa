// A team whose products are released together, and the requests for its timeline.
import { apply, type Sandbox } from '../../../../support/program/command.ts';

/** Minutes before noon; null for a draft that was never published. */
type Sample = readonly [label: string, minutes: number | null, changes: readonly string[], fields?: object];

const NOON = Date.parse('2026-05-04T12:00:00.000Z');
const atMinute = (minutes: number) => new Date(NOON - minutes * 60_000).toISOString();

/** `security! text` is a breaking change of the type security. */
function changeOf(text: string) {
  const [, type = 'other', breaking, rest = ''] = /^(\w+)(!?) (.*)$/.exec(text) ?? [];
  return { type, text: rest, breaking: breaking === '!' };
}

function versionOf([version, minutes, changes, fields = {}]: Sample) {
  return {
    version,
    title: `Release ${version}`,
    ...(minutes === null ? { status: 'draft' } : { status: 'published', publishedAt: atMinute(minutes) }),
    changes: changes.map(changeOf),
    ...fields,
  };
}

export function productOf(slug: string, samples: readonly Sample[], fields: object = {}) {
  const name = slug.charAt(0).toUpperCase() + slug.slice(1);
  return {
    slug,
    name,
    status: 'published',
    changelog: { name: `${name} changelog`, status: 'published', versions: samples.map(versionOf) },
    ...fields,
  };
}

/** Shared between rocket 2.0.0 and lander 1.2.0, and with probe 0.9.0, which comes too late. */
export const SHARED = 'Signed with a new key.';

export const FAMILY = {
  team: { slug: 'family', name: 'Family', visibility: 'public', plan: 'paid' },
  products: [
    productOf('rocket', [
      ['3.0.0', null, ['added A wish.']],
      ['2.0.0', 10, [`security ${SHARED}`, 'removed! The fuse.']],
      ['2.0.0-rc.1', 300, ['fixed A leak.']],
      ['1.0.0', 2_000, []],
    ]),
    productOf('lander', [
      ['1.2.0', 30, [`security! ${SHARED}`, 'fixed A leg.']],
      ['1.1.0', 300, ['added A camera.'], { status: 'draft' }],
      ['1.0.0', 2_000, ['added A door.'], { yanked: true, description: 'The *first* one.' }],
    ]),
    productOf('probe', [
      ['0.9.0', 75, [`security ${SHARED}`]],
      ['0.8.0', 300, ['added Telemetry.', 'fixed A leak.']],
    ]),
    productOf('hidden', [['9.0.0', 5, [`security ${SHARED}`]]], { status: 'draft' }),
  ],
};

export const PUBLIC_TEAM = '/api/v1/public/teams/family';
export const KEY_TEAM = '/api/v1/teams/family';

export const applyFamily = (sandbox: Sandbox) => apply(sandbox, FAMILY);
