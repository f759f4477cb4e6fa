// Scheduled versions that should have been published by now (R50).
import { COMMAND } from '../../command-name.ts';
import type { OverdueVersions } from '../../store/catalogue/schedule.ts';
import { nameSome } from './some-versions.ts';

export const PUBLISH_DUE = `Run a server with SCHEDULER=on, or \`${COMMAND} publish-due\`.`;

/** No server has published these. */
export function describeOverdue(overdue: OverdueVersions): string[] {
  return overdue.count === 0 ? [] : [`${subject(overdue)} overdue: ${named(overdue)}. ${PUBLISH_DUE}`];
}

/** These wait, because their product or changelog is locked. */
export function describeLocked(overdue: OverdueVersions): string[] {
  if (overdue.count === 0) return [];
  return [
    `${subject(overdue)} due below a locked product or changelog: ${named(overdue)}. Unlock it with \`${COMMAND} product set\` or \`${COMMAND} changelog set\`.`,
  ];
}

const NAMED_MAX = 5;

/** Drafts of a document that are scheduled for a time that has passed, for a warning: they are published at once. */
export class PassedSchedules {
  readonly #now: string;
  readonly #first: { name: string; publishAt: string }[] = [];
  #count = 0;

  constructor(now: string) {
    this.#now = now;
  }

  add(name: string, publishAt: string | null): void {
    if (publishAt === null || publishAt > this.#now) return;
    this.#count++;
    if (this.#first.length < NAMED_MAX) this.#first.push({ name, publishAt });
  }

  warnings(): string[] {
    const passed = { first: this.#first, count: this.#count };
    if (passed.count === 0) return [];
    return [
      `${subject(passed)} due, because the time has passed: ${named(passed)}. A server publishes what is due within 2 seconds.`,
    ];
  }
}

function subject({ count }: OverdueVersions): string {
  return count === 1 ? '1 scheduled version is' : `${count.toLocaleString('en')} scheduled versions are`;
}

function named({ first, count }: OverdueVersions): string {
  return nameSome(
    first.map(({ name, publishAt }) => ({ name, time: publishAt })),
    count,
  );
}
