// Splits the versions off JSON text. Each is parsed later, and so is the rest: invalid JSON is found there.
import type { Input } from '../input/input.ts';
import {
  CannotSplit,
  NotQuiteJson,
  PART_BYTES_MAX,
  type Skeleton,
  SkeletonBuilder,
  type VersionChunk,
  versionTooLarge,
} from './chunks.ts';
import { END, JSON_BYTES, JsonScanner } from './json-scanner.ts';
import { JSON_COMMENT } from './json-slips.ts';

const { quote, comma, colon, openList, closeList, openMap, closeMap, slash, hash } = JSON_BYTES;

/** The lists and mappings around a version: document, products, product, changelog, versions. */
const LIST_DEPTH = 5;
const DEPTH_MAX = 100;
const LINE_BREAK = Buffer.from('\n');

type Level = { kind: number; isWanted: boolean; index: number };

export function* splitJson(input: Input): Generator<VersionChunk, Skeleton> {
  const skeleton = new SkeletonBuilder();
  const levels: Level[] = [];
  /** Set inside of a list of versions. */
  let list: { product: number; index: number; firstLine: number } | null = null;
  let version = { start: -1, line: 0, fields: 0, tokens: 0 };
  const scanner = new JsonScanner(input, {
    keptBytesMax: PART_BYTES_MAX,
    tooLarge: () => (list === null ? skeleton.tooLarge(scanner.line) : versionTooLarge(version.line)),
  });
  const beginVersion = () => {
    version = { start: -1, line: 0, fields: 0, tokens: 0 };
    scanner.keptFrom = null;
  };
  const takeVersion = ({ product, index }: NonNullable<typeof list>): VersionChunk => {
    const { start, line, fields, tokens } = version;
    const bytes = scanner.slice(start, scanner.tokenStart);
    if (bytes.length > PART_BYTES_MAX) throw versionTooLarge(line);
    return { product, index, bytes, start, line, fields, tokens };
  };

  for (let byte = scanner.next(); byte !== END; byte = scanner.next()) {
    const { line, tokenStart } = scanner;
    if (list !== null && version.start === -1) {
      version.start = tokenStart;
      version.line = line;
      scanner.keptFrom = tokenStart;
    }
    const part = list === null ? skeleton : version;
    const level = levels.at(-1);
    switch (byte) {
      case quote:
        part.tokens++;
        break;
      case colon:
        part.tokens++;
        part.fields++;
        if (list === null && level !== undefined)
          level.isWanted = scanner.isAfterString(WANTED_FIELDS[levels.length - 1] ?? '');
        break;
      case openMap:
      case openList:
        part.tokens++;
        levels.push({ kind: byte, isWanted: false, index: 0 });
        if (levels.length > DEPTH_MAX) throw new CannotSplit(line, 'nested too deeply.');
        if (list === null && isVersionList(levels)) {
          skeleton.add(scanner.slice(scanner.keptFrom as number, tokenStart + 1));
          skeleton.add(LINE_BREAK);
          list = { product: levels[1]?.index ?? 0, index: 0, firstLine: line };
          beginVersion();
        }
        break;
      case slash:
      case hash:
        if (scanner.isTokenStart()) throw new NotQuiteJson(line, JSON_COMMENT);
        break;
      case comma:
        part.tokens++;
        if (list !== null && levels.length === LIST_DEPTH) {
          yield takeVersion(list);
          list.index++;
          beginVersion();
        } else if (level !== undefined) level.index++;
        break;
      case closeMap:
      case closeList:
        part.tokens++;
        if (level === undefined || byte !== level.kind + TO_CLOSING)
          throw new CannotSplit(line, `unmatched ${String.fromCharCode(byte)}.`);
        levels.pop();
        if (list !== null && levels.length < LIST_DEPTH) {
          if (list.index > 0 || version.start < tokenStart) yield takeVersion(list);
          skeleton.skip(line - list.firstLine - 1);
          list = null;
          scanner.keptFrom = tokenStart;
        }
        break;
    }
  }
  if (levels.length > 0)
    throw new CannotSplit(scanner.line, 'unexpected end of the document; it may be truncated.');
  skeleton.add(scanner.slice(scanner.keptFrom as number, scanner.position));
  return skeleton.build();
}

/** The distance in ASCII from a bracket to the one that closes it. */
const TO_CLOSING = closeMap - openMap;
const LIST_KINDS = [openMap, openList, openMap, openMap, openList];
const WANTED_FIELDS = ['products', undefined, 'changelog', 'versions'];

function isVersionList(levels: readonly Level[]): boolean {
  return (
    levels.length === LIST_DEPTH &&
    levels.every(
      ({ kind, isWanted }, depth) =>
        kind === LIST_KINDS[depth] && (isWanted || WANTED_FIELDS[depth] === undefined),
    )
  );
}
