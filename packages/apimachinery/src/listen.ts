import { once } from 'node:events';
import { Server } from 'node:net';

/**
 * Listens on a port, 0 for a free one.
 *
 * @throws Error that names the port and says what to do.
 */
export async function listen(
  server: Server,
  port: number,
  host: string,
): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const where = `Port ${port} on ${host}`;
    switch (code) {
      case 'EADDRINUSE':
        throw new Error(
          `${where} is in use: stop the program that uses it, or choose another port (0 takes a free one)`,
        );
      case 'EACCES':
        throw new Error(
          `${where} needs more rights: choose a port above 1023 (0 takes a free one)`,
        );
      default:
        throw new Error(`${where} cannot be used: ${message}`);
    }
  }
}
