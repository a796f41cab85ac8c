// `node command.mjs PORT starting|started`: a command with one service, which it waits for in vain or not at all.
import { runUntilStopped, startService } from '../../../../scripts/running.mjs';

const [port, stage] = process.argv.slice(2);
await runUntilStopped(async services => {
  const talker = startService(
    'talker',
    'e2e-tests/src/stopping/programs/talker.ts',
    [port],
    { echo: () => true },
  );
  if (stage === 'starting') {
    await new Promise(() => {});
  }
  services.push(talker);
});
