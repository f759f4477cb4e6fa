// Pictures that a document names by their path: each is read, and put in its place as a data: URL.
import { readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { isImagePath } from '../../domain/content/appearance.ts';
import { ContentProblem, type FieldPath } from '../../domain/content/content.ts';
import { Refusal } from '../../errors.ts';
import { INPUT_BYTES_MAX } from '../input.ts';
import { mappingsIn, show } from './shape.ts';

/** Its base64 still fits the limit on the text of a picture. */
const FILE_BYTES_MAX = 24_000;

/** Replaces the paths in a document by what is in their files, and finds those that cannot be read. */
export function* embedImages(document: unknown, folder: string): Generator<ContentProblem> {
  const embedded = new Map<string, string>();
  for (const [fields, name, path] of imageFieldsOf(document)) {
    const file = fields[name];
    if (typeof file !== 'string' || !isImagePath(file)) continue;
    try {
      if (embedded.size * FILE_BYTES_MAX > INPUT_BYTES_MAX)
        throw new Refusal('the document names too many files with pictures; use https: URLs.');
      const url = embedded.get(file) ?? readImage(file, folder);
      embedded.set(file, url);
      fields[name] = url;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      yield new ContentProblem([...path, name], error.message);
    }
  }
}

function* imageFieldsOf(document: unknown): Generator<[Record<string, unknown>, string, FieldPath]> {
  for (const [place, product] of mappingsIn(document, 'products')) {
    const path = ['products', place];
    yield [product, 'image', path];
    yield [product, 'logo', path];
    for (const [index, version] of mappingsIn(product.changelog, 'versions'))
      yield [version, 'image', [...path, 'changelog', 'versions', index]];
  }
}

/** A picture as a data: URL. It must be in the folder: who applies a document may not have written it. */
export function readImage(file: string, folder: string): string {
  const target = path.resolve(folder, file);
  try {
    if (!isIn(folder, target) || !isIn(realpathSync(folder), realpathSync(target)))
      throw new Refusal(
        `${show(file)} is outside of the folder of the document; copy the file into it, or use an https: URL.`,
      );
    const stats = statSync(target);
    if (!stats.isFile()) throw new Refusal(`${show(file)} is not a file; name a picture.`);
    if (stats.size > FILE_BYTES_MAX)
      throw new Refusal(
        `${show(file)} has ${stats.size.toLocaleString('en')} bytes, and a picture from a file may have ${FILE_BYTES_MAX.toLocaleString('en')}; make it smaller, or upload it and use its https: URL.`,
      );
    const bytes = readFileSync(target);
    const type = TYPES.find(([, signature]) => signature.test(bytes.toString('latin1')))?.[0];
    if (type === undefined)
      throw new Refusal(`${show(file)} is not a PNG, JPEG, GIF, WebP, AVIF or SVG image; check the file.`);
    return `data:image/${type};base64,${bytes.toString('base64')}`;
  } catch (error) {
    if (error instanceof Refusal) throw error;
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const reason = isMissing
      ? `no such file; its path starts at the folder of the document, and a URL starts with https://`
      : (error as Error).message;
    throw new Refusal(`${show(file)} cannot be read: ${reason}.`, { cause: error });
  }
}

function isIn(folder: string, target: string): boolean {
  const way = path.relative(folder, target);
  return !path.isAbsolute(way) && way.split(path.sep)[0] !== '..';
}

/** How files of each type begin, as Latin-1. */
const TYPES: readonly (readonly [type: string, start: RegExp])[] = [
  ['png', /^\x89PNG\r\n/],
  ['jpeg', /^\xff\xd8\xff/],
  ['gif', /^GIF8[79]a/],
  ['webp', /^RIFF.{4}WEBP/s],
  ['avif', /^.{4}ftyp(?:.{4}){0,12}?avi[fs]/s],
  [
    'svg+xml',
    /^(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->).)*-->\s*|<!DOCTYPE[^>[]*(?:\[[^\]]*\]\s*)?>\s*)*<(?:\w+:)?svg[\s/>]/is,
  ],
];
