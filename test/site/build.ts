// A build in a process of its own: FOLDER SITE, with the site as JSON, and perhaps the step at which it kills itself.
import { openOutputFolder } from '../../src/site/output-folder.ts';
import { withFault } from './faults.ts';

const [folder = '', site = '', nth = ''] = process.argv.slice(2);
const NOBODY = 65_534;

const kill = () => void process.kill(process.pid, 'SIGKILL');
// Root may write everywhere.
if (process.getuid?.() === 0 && nth === '') process.setuid?.(NOBODY);
withFault(Number(nth), kill, () => {
  try {
    using output = openOutputFolder(folder, 'site');
    for (const [file, body] of Object.entries(JSON.parse(site) as Record<string, string>))
      output.put(file, body);
    output.finish();
  } catch (error) {
    console.log((error as Error).message);
  }
});
