// What a file that is not text is, by its first bytes.

type FileKind = Readonly<{ name: string; advice: string }>;

const PASS = 'pass a content document or a changelog';
const UNPACK = `unpack it, and ${PASS} from it`;
const convert = (from: string) => `convert it to Markdown: pandoc -f ${from} -t gfm FILE -o CHANGELOG.md`;

const ZIP = 'PK\x03\x04';
/** What is in a zip archive tells what it is. */
const IN_ZIP: readonly (readonly [string, string, string])[] = [
  ['mimetypeapplication/vnd.oasis', 'an OpenDocument file', convert('odt')],
  ['word/', 'a Word document', convert('docx')],
  ['xl/', 'an Excel workbook', PASS],
];

/** Latin-1 stands for bytes. */
const BEGINNINGS: readonly (readonly [string, string, string])[] = [
  [ZIP, 'a zip archive', UNPACK],
  ['PK\x05\x06', 'a zip archive', UNPACK],
  ['\x1f\x8b', 'a gzip archive', UNPACK],
  ['BZh', 'a bzip2 archive', UNPACK],
  ['\xfd7zXZ\0', 'an xz archive', UNPACK],
  ['\x28\xb5\x2f\xfd', 'a zstd archive', UNPACK],
  ['7z\xbc\xaf\x27\x1c', 'a 7z archive', UNPACK],
  ['Rar!\x1a\x07', 'a RAR archive', UNPACK],
  ['%PDF-', 'a PDF', PASS],
  ['{\\rtf', 'an RTF document', convert('rtf')],
  ['\xd0\xcf\x11\xe0', 'an old Office document', PASS],
  ['\x89PNG\r\n', 'a PNG image', PASS],
  ['\xff\xd8\xff', 'a JPEG image', PASS],
  ['GIF87a', 'a GIF image', PASS],
  ['GIF89a', 'a GIF image', PASS],
  ['SQLite format 3\0', 'a SQLite database', PASS],
  ['\x7fELF', 'a program', PASS],
];

const HEAD_BYTES = 4 * 1024;
const TAR_MARK = { offset: 257, text: 'ustar' };
const WEBP_MARK = { offset: 8, text: 'WEBP' };

/** Null if it may be text. */
export function recogniseBinary(head: Buffer): FileKind | null {
  const text = head.subarray(0, HEAD_BYTES).toString('latin1');
  if (text.startsWith(TAR_MARK.text, TAR_MARK.offset)) return { name: 'a tar archive', advice: UNPACK };
  if (text.startsWith('RIFF') && text.startsWith(WEBP_MARK.text, WEBP_MARK.offset))
    return { name: 'a WebP image', advice: PASS };
  const inZip = text.startsWith(ZIP) ? IN_ZIP.find(([part]) => text.includes(part)) : undefined;
  const [, name, advice] = inZip ?? BEGINNINGS.find(([start]) => text.startsWith(start)) ?? [];
  return name === undefined || advice === undefined ? null : { name, advice };
}
