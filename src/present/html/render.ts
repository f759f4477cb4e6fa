/** Renders texts that share one budget, such as the changes of a version, in order. */
export type Render = (texts: readonly string[]) => Promise<readonly string[]>;
