import { ConflictError, ForwardedError } from '@backstage/errors';
import { describeError } from './fleetAccess';

describe('the description of an error', () => {
  const conflict = new Error('Could not create placements: name taken');
  conflict.name = 'HubError';

  it.each([
    [
      'a cause with the same message',
      new ConflictError(conflict.message, conflict),
      'Could not create placements: name taken',
    ],
    [
      'the same message at every level',
      new ConflictError(
        conflict.message,
        new ConflictError(conflict.message, conflict),
      ),
      'Could not create placements: name taken',
    ],
    [
      'a cause that adds information',
      new ForwardedError('The hub does not answer', new Error('ECONNREFUSED')),
      'The hub does not answer; caused by Error: ECONNREFUSED',
    ],
    ['no cause', conflict, 'Could not create placements: name taken'],
    ['a value that is no error', 'broken', 'broken'],
  ])('with %s', (_, error, description) => {
    expect(describeError(error)).toBe(description);
  });
});
