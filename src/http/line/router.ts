// Which route a path leads to. Routes are few, and each path leads to one at most.
import type { Stage } from './stages.ts';

export type Route = Readonly<{
  /** Such as `/api/v1/teams/:team/products/:product/changelog`; what differs between paths begins with a colon. */
  pattern: string;
  /** All stages that a request with this method passes, to the last, which answers it. */
  stagesFor: (method: string) => readonly Stage[];
}>;

/** As they stand in the path; what a route has no place for is empty. */
export type PathParams = Readonly<{ team: string; product: string; versionId: string }>;

export type RouteMatch = Readonly<{ route: Route; params: PathParams }>;

export type FindRoute = (path: string) => RouteMatch | null;

/** Every pattern names its parameters in the order of `PathParams`. */
export function createRouter(routes: readonly Route[]): FindRoute {
  const compiled = routes.map((route) => ({
    route,
    expression: new RegExp(`^${route.pattern.replaceAll('.', '\\.').replaceAll(/:\w+/g, '([^/]+)')}$`),
  }));
  return (path) => {
    for (const { route, expression } of compiled) {
      const match = expression.exec(path);
      if (match === null) continue;
      const [, team = '', product = '', versionId = ''] = match;
      return { route, params: { team, product, versionId } };
    }
    return null;
  };
}
