import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  createServer,
  type AddressInfo,
  type Server,
  type Socket,
} from 'node:net';
import { join } from 'node:path';

jest.setTimeout(60_000);

const SCRIPTS = join(__dirname, '../../../scripts');

describe('a command and the service that it has started', () => {
  let server: Server;
  let command: ChildProcess;
  let service: Socket;

  /** Starts a command; its service is gone when the socket is closed. */
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
    'end in good order when they are asked twice, %s',
    async stage => {
      await start(stage);
      const gone = once(service, 'close');
      const ended = once(command, 'exit');
      command.stdout!.resume();
      command.kill('SIGTERM');
      command.kill('SIGINT');
      expect(await ended).toEqual([0, null]);
      await gone;
    },
  );

  it.each<[string, () => unknown, unknown[]]>([
    ['the command is killed', () => command.kill('SIGKILL'), [null, 'SIGKILL']],
    ['nobody reads what it says', () => command.stdout!.destroy(), [0, null]],
    ['whoever started it is gone', () => command.disconnect(), [0, null]],
  ])('end when %s', async (_, happens, end) => {
    await start('started');
    const gone = once(service, 'close');
    const ended = once(command, 'exit');
    happens();
    await gone;
    expect(await ended).toEqual(end);
  });
});
