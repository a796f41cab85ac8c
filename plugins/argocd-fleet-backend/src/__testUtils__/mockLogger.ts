import type { LoggerService } from '@backstage/backend-plugin-api';
import type { JsonObject } from '@backstage/types';

/**
 * A logger that prints nothing, for tests without a backend: loading that of `@backstage/backend-test-utils` takes
 * seconds, as it loads a whole backend.
 */
export function mockLogger(): jest.Mocked<LoggerService> {
  return {
    error: jest.fn(),
    warn: jest.fn(),
    info: jest.fn(),
    debug: jest.fn(),
    child: jest.fn<LoggerService, [meta: JsonObject]>(() => mockLogger()),
  };
}
