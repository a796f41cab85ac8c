import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** Unlike `console.log`, this fails where nobody reads. */
const log = (text: string) => process.stdout.write(`${text}\n`);

// As a Backstage backend does: it logs without end, logs also what nobody caught, and takes a moment to stop.
process.on('uncaughtException', error => log(error.message));
process.on('SIGTERM', async () => {
  await pause(50);
  process.exit(0);
});

// Whoever listens there knows by it that this process is there and when it is gone, and can end it after all.
connect(Number(process.argv[2]), '127.0.0.1')
  .on('connect', () => setInterval(() => log('something happened'), 1))
  .on('close', () => process.exit(1));
