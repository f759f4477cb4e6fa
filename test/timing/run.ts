// Can anybody tell what is hidden from what does not exist by the clock? `npm run timing -- [SAMPLES] [ENGINE] [CLASS]`.
// Prints a table and fails if any |t| is too large. Nothing is measured twice: the first figure counts.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openScope, temporaryFolder } from '../../cluster/scope.ts';
import type { Comparison } from '../../proofs/timing/welch.ts';
import { CROPS, T_MAX, worstOf } from '../../proofs/timing/welch.ts';
import { ENGINES } from '../../support/databases/engines.ts';

const SAMPLES = 20_000;
const SIZE = { names: 200, commonIn: 3_000 };

const [samplesGiven = String(SAMPLES), engineGiven = 'all', classGiven = 'all'] = process.argv.slice(2);
const samples = Number(samplesGiven);
const engines = ENGINES.filter((engine) => engineGiven === 'all' || engine === engineGiven);
if (!Number.isSafeInteger(samples) || samples < 10 || engines.length === 0) {
  process.stderr.write('usage: npm run timing -- [SAMPLES] [sqlite|postgres|all] [CLASS|all]\n');
  process.exit(2);
}

if (process.env.TEST_ENGINE === undefined) {
  const heads = [
    'class',
    'engine',
    'measured',
    'hidden µs',
    'missing µs',
    ...CROPS.map((crop) => `t ${crop * 100} %`),
  ];
  console.log(`${samples.toLocaleString('en')} samples of each\n\n| ${heads.join(' | ')} |`);
  console.log(`|${heads.map(() => '---').join('|')}|`);
  for (const engine of engines) {
    const child = spawn(process.execPath, [import.meta.filename, samplesGiven, engine, classGiven], {
      env: { ...process.env, TEST_ENGINE: engine },
      stdio: 'inherit',
    });
    const [code] = await once(child, 'exit');
    if (code !== 0) process.exitCode = 1;
  }
  console.log(
    process.exitCode === 1
      ? '\nsome can be told apart'
      : `\nnone can be told apart: every |t| is below ${T_MAX}`,
  );
} else {
  await prove(process.env.TEST_ENGINE);
  // The server that was started ends with the process.
  process.exit();
}

async function prove(engine: string): Promise<void> {
  const [{ seedTimingWorld }, { listClasses }, proof] = await Promise.all([
    import('../../proofs/timing/world.ts'),
    import('../../proofs/timing/classes.ts'),
    import('../../proofs/timing/proof.ts'),
  ]);
  const scope = openScope();
  try {
    const workplace = { folder: temporaryFolder(scope) };
    const world = await seedTimingWorld(workplace, SIZE);
    const isWanted = ({ name }: { name: string }) => classGiven === 'all' || name === classGiven;
    const classes = listClasses(world).filter(isWanted);
    const ways = {
      http: await proof.openHttp(scope, workplace),
      store: await proof.openStore(scope, workplace),
    };
    for (const subject of classes)
      for (const [way, compare] of Object.entries(ways))
        report(subject.name, engine, way, await compare(subject, samples));
    if (isWanted(proof.DRAFT_EDIT)) {
      const comparison = await proof.compareEdits(scope, workplace, proof.DRAFT_EDIT, samples);
      report(proof.DRAFT_EDIT.name, engine, 'http', comparison);
    }
  } finally {
    await scope.close();
  }
}

function report(name: string, engine: string, way: string, comparison: Comparison): void {
  const { medians, t } = comparison;
  const figures = [...medians.map((median) => median.toFixed(1)), ...t.map((value) => value.toFixed(2))];
  const verdict = worstOf(comparison) < T_MAX ? '' : ' told apart';
  console.log(`| ${[name, engine, way, ...figures].join(' | ')} |${verdict}`);
  if (verdict !== '') process.exitCode = 1;
}
