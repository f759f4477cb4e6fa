// The slugs of the packages of a workspace.
import { slugOf } from '../../domain/slug.ts';
import { Refusal } from '../../errors.ts';

type Named = Readonly<{ name: string; folder: string }>;

/**
 * `@acme/rocket-core` is `rocket-core`. Where several packages have the same slug, each takes that of its whole name
 * (`acme-rocket-core`), if that has a scope, or else that of its folder.
 */
export function chooseSlugs(packages: readonly Named[]): string[] {
  const forms = packages.map(formsOf);
  for (;;) {
    const users = Map.groupBy(forms.keys(), (index) => forms[index]?.[0] ?? '');
    const clashing = [...users.values()].filter(({ length }) => length > 1).flat();
    if (clashing.length === 0) return forms.map(([slug = '']) => slug);
    const movable = clashing.filter((index) => (forms[index]?.length ?? 0) > 1);
    if (movable.length === 0)
      throw new Refusal(
        `the packages in ${clashing.map((index) => packages[index]?.folder).join(' and ')} would have the same slug; leave out all but one with --exclude`,
      );
    for (const index of movable) forms[index]?.shift();
  }
}

/** The name of a Go module is a path that may end in its major version: `example.com/rocket/core/v2`. */
function formsOf({ name, folder }: Named): string[] {
  const parts = name.split('/');
  if (parts.length > 1 && /^v\d+$/.test(parts.at(-1) ?? '')) parts.pop();
  const last = parts.at(-1) ?? '';
  return [last, name.startsWith('@') ? name : last, folder].map(slugOf).filter((slug) => slug !== '');
}
