// Applies and exports whole documents, compared with plain inserts of the same rows; on SQLite, with all cores. Their memory
// is proved by `npm run prove bulk`.
import path from 'node:path';
import { MAIN } from '../../cluster/nodes.ts';
import { openScope, type Scope, temporaryFolder } from '../../cluster/scope.ts';
import { type CommandReport, timeCommand } from '../../support/processes/commands.ts';
import { TEAM } from '../data/datasets.ts';
import { type DocumentFormat, writeDocument } from '../data/document.ts';
import type { SqliteData } from '../data/sqlite-data.ts';
import type { Measure } from '../report/results.ts';

const GROUP = 'Bulk';
const PLAIN = path.resolve(import.meta.dirname, 'plain-inserts.ts');
const FORMATS: readonly DocumentFormat[] = ['json', 'yaml'];
const FAILURE_CHARACTERS_MAX = 120;

type BulkOptions = Readonly<{ versions: number; rounds: number; onProgress: (text: string) => void }>;

type Samples = { values: number[]; note?: string };

export async function measureBulk(scope: Scope, data: SqliteData, options: BulkOptions): Promise<Measure[]> {
  const { versions, rounds, onProgress } = options;
  const folder = temporaryFolder(scope);
  const documents = FORMATS.map((format) => {
    const file = path.join(folder, `document.${format}`);
    writeDocument(file, versions, format);
    return { format, file };
  });
  const gathered = new Map<string, Samples>();
  const note = (id: string, report: CommandReport, milliseconds = report.milliseconds) => {
    const found = gathered.get(id) ?? { values: [] };
    gathered.set(id, found);
    if (report.code !== 0) {
      found.note = failureOf(report);
      return;
    }
    found.values.push(Math.round((versions * 1_000) / milliseconds));
  };
  for (let round = 1; round <= rounds; round++) {
    onProgress(`bulk, round ${round} of ${rounds}`);
    const inner = openScope();
    const plain = await timeCommand(inner, [PLAIN, data.emptyFile(inner), String(versions)]);
    note('plain', plain, Number(plain.stdout()));
    for (const { format, file } of documents) {
      const environment = { DATABASE_URL: `sqlite:${data.emptyFile(inner)}` };
      const applied = await timeCommand(inner, [MAIN, 'apply', file], environment);
      note(`apply-${format}`, applied);
      if (applied.code !== 0) continue;
      note(
        `export-${format}`,
        await timeCommand(inner, [MAIN, 'export', TEAM, '--format', format], environment),
      );
    }
    await inner.close();
  }
  const many = count(versions);
  const described = [
    { id: 'plain', name: `plain prepared inserts, ${many} versions` },
    {
      id: 'apply-json',
      name: `apply of ${many} versions, JSON`,
      comparedWith: 'plain',
      goal: { atLeast: 0.4 },
    },
    { id: 'apply-yaml', name: `apply of ${many} versions, YAML`, comparedWith: 'plain' },
    { id: 'export-json', name: `export of ${many} versions, JSON`, comparedWith: 'plain' },
    { id: 'export-yaml', name: `export of ${many} versions, YAML`, comparedWith: 'plain' },
  ];
  return described.map((measure): Measure => {
    const { values, note } = gathered.get(measure.id) ?? { values: [], note: 'not applied' };
    return { ...measure, group: GROUP, unit: 'versions/s', values, ...(note !== undefined && { note }) };
  });
}

/** The last line of the command's error output, without paths. */
function failureOf(report: CommandReport): string {
  const message = report.stderr().trim().split('\n').at(-1) ?? '';
  return `failed: ${message.replaceAll(/\/\S*\//g, '').slice(0, FAILURE_CHARACTERS_MAX)}`;
}

const count = (number: number) => number.toLocaleString('en');
