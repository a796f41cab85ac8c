import { Server } from 'node:http';

/** Listens, or says which port is the trouble and what to do. */
export function listen(
  server: Server,
  port: number,
  host: string,
): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      switch (error.code) {
        case 'EADDRINUSE':
          reject(
            new Error(
              `Port ${port} on ${host} is in use: stop the program that uses it, or choose another port (0 takes a free one)`,
            ),
          );
          break;
        case 'EACCES':
          reject(
            new Error(
              `Port ${port} on ${host} may not be used: choose a port above 1023 (0 takes a free one)`,
            ),
          );
          break;
        default:
          reject(error);
      }
    });
    server.listen(port, host, () => {
      server.removeAllListeners('error');
      resolve();
    });
  });
}
