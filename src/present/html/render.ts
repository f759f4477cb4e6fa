/** Renders the changes of one version, in its order; or any other texts that share one budget. */
export type Render = (texts: readonly string[]) => Promise<readonly string[]>;
