// `node command.mjs PORT starting|started`: a command with one service, which stays in its start phase or completes it.
import { runUntilStopped, startService } from '../../../../scripts/running.mjs';

const [port, stage] = process.argv.slice(2);
await runUntilStopped(async services => {
  const service = startService(
    'logger',
    'e2e-tests/src/shutdown/programs/loggingService.ts',
    [port],
    { echo: () => true },
  );
  if (stage === 'starting') {
    await new Promise(() => {});
  }
  services.push(service);
});
