// The files that are generated from the code, or by running it.
import { ContentDocument } from '../src/domain/content/content.ts';
import { clientTypes } from './client-types.ts';
import { dashboardJson } from './dashboard.ts';
import { drawScreenshots, pageDigest } from './screenshots.ts';
import { terminalPicture } from './terminal.ts';
import { bundleWidget, bundleWidgetForWords } from './widget-bundle.ts';

type GeneratedFile = Readonly<{
  file: string;
  write: () => string | Promise<string>;
  /** Draws pictures, which differ from machine to machine: only when the file changes, or when asked for by name. */
  draw?: () => Promise<void>;
}>;

export const GENERATED: Readonly<Record<string, GeneratedFile>> = {
  'client-types': { file: 'client/records.d.ts', write: clientTypes },
  dashboard: { file: 'deploy/grafana/changelog.json', write: dashboardJson },
  schema: { file: 'schema/content.schema.json', write: contentJsonSchema },
  screenshots: { file: 'docs/page.sha256', write: pageDigest, draw: drawScreenshots },
  terminal: { file: 'docs/terminal.svg', write: terminalPicture },
  widget: { file: 'client/widget.min.js', write: bundleWidget },
  'widget-words': { file: 'client/widget.words.min.js', write: bundleWidgetForWords },
};

/** For editors; the package ships it. */
function contentJsonSchema(): string {
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Changelog content document',
    ...ContentDocument,
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}
