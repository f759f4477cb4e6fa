// The full run: can response times distinguish hidden from nonexistent content? On both engines, or only on TEST_ENGINE.
// Prints a table and fails if any |t| is too large. Nothing is measured again: the first result counts.
import { openScope, temporaryFolder } from '../../cluster/scope.ts';
import { onEachEngine } from '../../support/databases/each-engine.ts';
import { countFor } from '../arguments.ts';
import { type Comparison, CROPS, T_MAX, worstOf } from './welch.ts';

const SIZE = { names: 200, commonIn: 3_000 };
const HEADS = ['class', 'measured', 'hidden µs', 'missing µs', ...CROPS.map((crop) => `t ${crop * 100} %`)];

const samples = countFor('timing');
const classGiven = process.argv[3];
const isWanted = ({ name }: { name: string }) => classGiven === undefined || name === classGiven;

await onEachEngine(
  import.meta.filename,
  () => process.argv.slice(2),
  async (engine) => {
    console.log(`${engine}: ${samples.toLocaleString('en')} samples of each\n\n| ${HEADS.join(' | ')} |`);
    console.log(`|${HEADS.map(() => '---').join('|')}|`);
    await measure();
    console.log(
      process.exitCode === 1
        ? `\n${engine}: some are distinguishable\n`
        : `\n${engine}: none is distinguishable: every |t| is below ${T_MAX}\n`,
    );
  },
);

async function measure(): Promise<void> {
  const [{ seedTimingWorld }, { listClasses }, proof] = await Promise.all([
    import('./world.ts'),
    import('./classes.ts'),
    import('./proof.ts'),
  ]);
  const scope = openScope();
  try {
    const sandbox = { folder: temporaryFolder(scope) };
    const world = await seedTimingWorld(sandbox, SIZE);
    const classes = listClasses(world).filter(isWanted);
    const ways = {
      http: await proof.openHttp(scope, sandbox),
      store: await proof.openStore(scope, sandbox),
    };
    for (const subject of classes)
      for (const [way, compare] of Object.entries(ways))
        report(subject.name, way, await compare(subject, samples));
    if (isWanted(proof.DRAFT_EDIT)) {
      const comparison = await proof.compareEdits(scope, sandbox, proof.DRAFT_EDIT, samples);
      report(proof.DRAFT_EDIT.name, 'http', comparison);
    }
  } finally {
    await scope.close();
  }
}

function report(name: string, way: string, comparison: Comparison): void {
  const { medians, t } = comparison;
  const figures = [...medians.map((median) => median.toFixed(1)), ...t.map((value) => value.toFixed(2))];
  const verdict = worstOf(comparison) < T_MAX ? '' : ' distinguishable';
  console.log(`| ${[name, way, ...figures].join(' | ')} |${verdict}`);
  if (verdict !== '') process.exitCode = 1;
}
