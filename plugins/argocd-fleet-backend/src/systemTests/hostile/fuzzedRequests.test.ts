import { Agent, request, type IncomingMessage } from 'node:http';
import {
  mockCredentials,
  type TestBackend,
} from '@backstage/backend-test-utils';
import fc from 'fast-check';
import { numberOfCases, SEED } from '../../__testUtils__/randomCases';
import { maxTurn, startCpuTurns } from './__testUtils__/cpuTurns';
import {
  fuzzedRequests,
  type FuzzedRequest,
} from './__testUtils__/fuzzedRequest';
import {
  startTwoTenants,
  TWO_TENANTS,
  type TwoTenants,
} from './__testUtils__/twoTenants';
import { BASE } from './__testUtils__/api';

// The requests of the long run take minutes.
jest.setTimeout(300_000);

const REQUESTS = numberOfCases({ test: 1_000, long: 10_000 });
/** Before the measurement, so that no code is compiled in it. */
const WARM_UP = 300;
const IN_FLIGHT = 4;

const [alice, bob] = TWO_TENANTS;
const authorization = mockCredentials.user.header(alice.user);

interface Answer {
  readonly status: number;
  readonly text: string;
}

describe(`the API, asked at random (seed ${SEED})`, () => {
  let tenants: TwoTenants;
  let backend: TestBackend;
  const agent = new Agent({ keepAlive: true, maxSockets: IN_FLIGHT });

  beforeAll(async () => {
    tenants = await startTwoTenants();
    backend = tenants.backend;
  });

  afterAll(async () => {
    agent.destroy();
    await tenants?.stop();
  });

  function ask({
    method,
    path,
    headers,
    body,
  }: FuzzedRequest): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const sent = request(
        {
          ...{ host: '127.0.0.1', port: backend.server.port(), agent },
          ...{ method, path: `${BASE}${path}` },
          headers: { authorization, ...headers },
        },
        (response: IncomingMessage) => {
          const { statusCode: status = 0, headers: received } = response;
          const chunks: Buffer[] = [];
          const done = () =>
            resolve({ status, text: Buffer.concat(chunks).toString() });
          response.on('data', chunk => chunks.push(chunk));
          response.on('end', done).on('error', reject);
          if (received['content-type']?.startsWith('text/event-stream')) {
            // It never ends by itself.
            done();
            sent.destroy();
          }
        },
      );
      sent.on('error', reject);
      sent.setTimeout(50_000, () => sent.destroy(new Error('no answer')));
      sent.end(body);
    });
  }

  it('answers each request without an error of its own, without a stall, and with nothing of another tenant', async () => {
    const turns = startCpuTurns();
    const samples = fc.sample(fuzzedRequests(tenants.names), {
      seed: SEED,
      numRuns: REQUESTS + WARM_UP,
    });
    const statuses = new Map<string, number>();
    const wrong: object[] = [];
    const slow: object[] = [];

    async function check(sample: FuzzedRequest) {
      const answer = await ask(sample).catch(error => ({
        status: 0,
        text: String(error),
      }));
      const key = `${answer.status}`;
      statuses.set(key, (statuses.get(key) ?? 0) + 1);
      if (
        answer.status === 0 ||
        answer.status >= 500 ||
        answer.text.includes(bob.secret)
      ) {
        wrong.push({ sample, answer });
      }
    }

    async function send(all: readonly FuzzedRequest[]) {
      let next = 0;
      await Promise.all(
        Array.from({ length: IN_FLIGHT }, async () => {
          while (next < all.length) {
            const sample = all[next];
            next += 1;
            await check(sample);
          }
        }),
      );
    }

    // What bob is answered has his word, so an answer that leaks it would too.
    const { text } = await ask({
      method: 'GET',
      path: '/applicationsets',
      headers: { authorization: mockCredentials.user.header(bob.user) },
    });
    expect(text).toContain(bob.secret);

    await send(samples.slice(0, WARM_UP));
    turns.longest();
    for (let from = WARM_UP; from < samples.length; from += 100) {
      const batch = samples.slice(from, from + 100);
      await send(batch);
      let longest = turns.longest();
      // What the input causes, it causes again; a garbage collection or a compilation it does not.
      for (let again = 0; again < 3 && longest > maxTurn(); again += 1) {
        turns.longest();
        await send(batch);
        longest = turns.longest();
      }
      if (longest > maxTurn()) {
        slow.push({ longest, batch });
      }
    }
    turns.stop();
    expect(wrong).toEqual([]);
    expect(slow).toEqual([]);
    // Otherwise the requests would all have failed for the same trivial reason.
    expect([...statuses.keys()].sort()).toEqual(
      expect.arrayContaining(['200', '400', '404']),
    );
  });
});
