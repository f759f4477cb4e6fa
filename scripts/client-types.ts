// Generates the types of the client's records from the schemas of the server's responses.
import { CHANGE_TYPES, PUBLICATION_STATES, VERSION_STATES } from '../src/domain/model.ts';
import type { Schema } from '../src/domain/schema.ts';
import { API_ERRORS } from '../src/errors.ts';
import {
  ChangelogEnvelope,
  FullChangelogEnvelope,
  RangeEnvelope,
  VersionEnvelope,
} from '../src/present/schemas.ts';

type Node = Schema<unknown> & {
  type?: string | string[];
  const?: string;
  enum?: string[];
  properties?: Record<string, Node>;
  items?: Node;
};

const HEADING = '// Written by `npm run generate` from the schemas of the responses. Do not edit.\n';
const LINE_CHARACTERS_MAX = 110;

const UNIONS: Record<string, readonly string[]> = {
  ChangeType: CHANGE_TYPES,
  PublicationState: PUBLICATION_STATES,
  VersionState: VERSION_STATES,
  ApiErrorCode: Object.keys(API_ERRORS),
};

const feed = at(ChangelogEnvelope, 'data');
const version = at(VersionEnvelope, 'data');
const range = at(RangeEnvelope, 'data');

/** A record that is part of several others is the same schema object in each. */
const RECORDS: Record<string, Node> = {
  Team: at(feed, 'team'),
  Product: at(feed, 'product'),
  Changelog: at(feed, 'changelog'),
  VersionSummary: at(feed, 'versions'),
  Change: at(version, 'changes'),
  Version: version,
  FeedRecord: feed,
  FullFeedRecord: at(FullChangelogEnvelope, 'data'),
  RangeChange: at(at(range, 'groups'), 'changes'),
  RangeGroup: at(range, 'groups'),
  Range: range,
};

export function clientTypes(): string {
  const unions = Object.entries(UNIONS).map(([name, values]) => unionOf(name, values));
  const records = Object.entries(RECORDS).map(([name, node]) => interfaceOf(name, node));
  return [HEADING, ...unions, ...records].join('\n');
}

/** The record in a field; for a list, the record of its items. */
function at(schema: Schema<unknown>, field: string): Node {
  const node = (schema as Node).properties?.[field];
  if (node === undefined) throw new Error(`The schemas have no field ${field} here any more.`);
  return node.items ?? node;
}

function unionOf(name: string, values: readonly string[]): string {
  const line = `export type ${name} = ${values.map(quoted).join(' | ')};\n`;
  if (line.length <= LINE_CHARACTERS_MAX + 1) return line;
  return `export type ${name} =\n${values.map((value) => `  | ${quoted(value)}`).join('\n')};\n`;
}

function interfaceOf(name: string, node: Node): string {
  const fields = Object.entries(node.properties ?? {}).map(
    ([field, inner]) => `  ${field}: ${typeOf(inner)};`,
  );
  return `export interface ${name} {\n${fields.join('\n')}\n}\n`;
}

function typeOf(node: Node): string {
  if (node.items) return `${typeOf(node.items)}[]`;
  if (node.properties) return nameOf(RECORDS, (known) => known === node);
  if (node.const !== undefined) return quoted(node.const);
  if (node.enum) return nameOf(UNIONS, (known) => String(known) === String(node.enum));
  return [node.type ?? 'unknown'].flat().map(plainType).join(' | ');
}

function nameOf<T>(named: Record<string, T>, isIt: (known: T) => boolean): string {
  const found = Object.entries(named).find(([, known]) => isIt(known));
  if (found === undefined)
    throw new Error('A schema has no name for its type here yet. Add it to the tables above.');
  return found[0];
}

function plainType(type: string): string {
  return type === 'integer' ? 'number' : type;
}

function quoted(value: string): string {
  return `'${value}'`;
}
