import { once } from 'node:events';
import { createServer } from 'node:http';
import { AddressInfo } from 'node:net';
import { listen } from './listen';

const HOST = '127.0.0.1';

it('uses a free port for 0, and names a port that is in use', async () => {
  const first = createServer();
  await listen(first, 0, HOST);
  const { port } = first.address() as AddressInfo;
  await expect(listen(createServer(), port, HOST)).rejects.toThrow(
    `Port ${port} on ${HOST} is in use: stop the program that uses it, or choose another port`,
  );
  first.close();
  await once(first, 'close');
});

it('names a host that cannot be used', async () => {
  await expect(listen(createServer(), 0, '192.0.2.1')).rejects.toThrow(
    /^Port 0 on 192\.0\.2\.1 cannot be used: /,
  );
});
