// What is done, and yet somebody should know of.
import type { Plan, Visibility } from '../../domain/model.ts';
import type { Cli } from '../cli.ts';
import { hasPassword } from '../secrets.ts';
import { type CurrentSetup, DOT_ENV } from './current-setup.ts';
import { KEY_FILE } from './existing-key.ts';
import { isTrackedByGit } from './guesses.ts';
import type { InitAnswers } from './questions.ts';
import type { SetupItem } from './set-up.ts';

type SetupOutcome = Readonly<{
  place: CurrentSetup;
  things: readonly SetupItem[];
  team: Readonly<{ visibility: Visibility; plan: Plan }>;
}>;

export function notesOn(
  { folder }: Cli,
  { team: { slug }, visibility, databaseUrl }: InitAnswers,
  { place, things, team }: SetupOutcome,
): string[] {
  const isNew = (kind: SetupItem['kind'], name: string) =>
    things.some((thing) => thing.isNew && thing.kind === kind && thing.name === name);
  const notes: [isSo: boolean, note: string][] = [
    [
      team.visibility !== visibility,
      `The team ${slug} was there already, and is ${team.visibility}: \`changelog team set ${slug} --visibility ${visibility}\` changes that.`,
    ],
    [
      !isNew('key', KEY_FILE),
      team.plan === 'paid'
        ? `No key was made, because ${KEY_FILE} is there: \`changelog key create ${slug} --kind FULL\` makes one.`
        : `No key was made, because the team is on the ${team.plan} plan: \`changelog team set ${slug} --plan paid\` changes that.`,
    ],
    [
      place.databaseUrlSource === 'environment',
      'DATABASE_URL is set in the environment, and not kept here: later commands need it there as well.',
    ],
    [
      isNew('file', DOT_ENV) && hasPassword(databaseUrl) && isTrackedByGit(folder, DOT_ENV),
      `${DOT_ENV} holds a password, and git does not ignore it: add it to .gitignore.`,
    ],
    [
      isNew('key', KEY_FILE) && isTrackedByGit(folder, KEY_FILE),
      `${KEY_FILE} is a secret, and git does not ignore it: add it to .gitignore.`,
    ],
  ];
  return notes.filter(([isSo]) => isSo).map(([, note]) => note);
}
