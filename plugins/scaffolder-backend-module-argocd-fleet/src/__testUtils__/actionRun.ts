import { mockServices } from '@backstage/backend-test-utils';
import { ResponseError } from '@backstage/errors';
import { createMockActionContext } from '@backstage/plugin-scaffolder-node-test-utils';

/** The error of the API's client for a response with this status. */
export const refused = (statusCode: number, message: string) =>
  ResponseError.fromResponse(
    Response.json(
      { error: { name: 'Refused', message }, response: { statusCode } },
      { status: statusCode },
    ) as never,
  );

export type Answer<T> = () => T | Promise<T>;

/** Answers for each request by its name, one after the other, and the last one from then on. */
export function answersInTurn() {
  const calls: string[] = [];
  const next = new Map<string, number>();
  async function answer<T>(
    name: string,
    list: readonly Answer<T>[],
  ): Promise<T> {
    calls.push(name);
    const index = next.get(name) ?? 0;
    next.set(name, index + 1);
    return list[Math.min(index, list.length - 1)]();
  }
  return { calls, answer };
}

/** A run of an action with this input. */
export function contextFor<T extends object>(input: T, more: object = {}) {
  const logger = mockServices.logger.mock();
  const ctx = {
    ...createMockActionContext({ input, workspacePath: '/nowhere' }),
    getInitiatorCredentials: async () => ({}) as never,
    logger,
    ...more,
  };
  const outputs = () =>
    Object.fromEntries(
      jest.mocked(ctx.output).mock.calls as [string, unknown][],
    );
  const log = () =>
    [...logger.info.mock.calls, ...logger.warn.mock.calls].map(
      ([line]) => line,
    );
  return { ctx: ctx as never, outputs, log };
}
