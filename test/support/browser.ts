import { type Browser, startChromium } from '../../support/browser/chromium.ts';
import { sharedScope } from '../../support/processes/scope.ts';

const scope = sharedScope();
let started: Promise<Browser> | undefined;

/** One for all test files of a process, because it takes long to start. Each page that it opens has its own profile. */
export function sharedChromium(): Promise<Browser> {
  started ??= startChromium(scope);
  return started;
}
