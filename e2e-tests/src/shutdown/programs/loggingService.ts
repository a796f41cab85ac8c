import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** Unlike `console.log`, this fails when the pipe is closed. */
const log = (text: string) => process.stdout.write(`${text}\n`);

// Like a Backstage backend, it logs continuously, also logs uncaught exceptions, and takes a moment to stop.
process.on('uncaughtException', error => log(error.message));
process.on('SIGTERM', async () => {
  await delay(50);
  process.exit(0);
});

// The connection shows the test whether this process runs, and lets the test end it.
connect(Number(process.argv[2]), '127.0.0.1')
  .on('connect', () => setInterval(() => log('something happened'), 1))
  .on('close', () => process.exit(1));
