import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  createServer,
  type AddressInfo,
  type Server,
  type Socket,
} from 'node:net';
import { join } from 'node:path';

const SCRIPTS = join(__dirname, '../../../scripts');

describe('a command of scripts/ and its service', () => {
  let server: Server;
  let command: ChildProcess;
  let service: Socket;

  /** Starts a command with one service. The service's socket closes when the service ends. */
  async function start(stage: 'starting' | 'started') {
    server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    command = spawn(
      process.execPath,
      [
        ...['--require', join(SCRIPTS, 'stop-with-parent.cjs')],
        ...[join(__dirname, 'programs/command.mjs'), String(port), stage],
      ],
      { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] },
    );
    [service] = await once(server, 'connection');
    service.resume().on('error', () => {});
    await once(command.stdout!, 'data');
  }

  afterEach(() => {
    command.kill('SIGKILL');
    service.destroy();
    server.close();
  });

  it.each(['starting', 'started'] as const)(
    'end in order on two signals (%s)',
    async stage => {
      await start(stage);
      const serviceEnded = once(service, 'close');
      const commandEnded = once(command, 'exit');
      command.stdout!.resume();
      command.kill('SIGTERM');
      command.kill('SIGINT');
      expect(await commandEnded).toEqual([0, null]);
      await serviceEnded;
    },
  );

  it.each<[string, () => unknown, unknown[]]>([
    ['the command is killed', () => command.kill('SIGKILL'), [null, 'SIGKILL']],
    ['its output is not read', () => command.stdout!.destroy(), [0, null]],
    ['its parent is gone', () => command.disconnect(), [0, null]],
  ])('end when %s', async (_, trigger, expectedExit) => {
    await start('started');
    const serviceEnded = once(service, 'close');
    const commandEnded = once(command, 'exit');
    trigger();
    await serviceEnded;
    expect(await commandEnded).toEqual(expectedExit);
  });
});
