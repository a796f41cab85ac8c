import { ConflictError, ForwardedError } from '@backstage/errors';
import { describeFailure } from './fleetAccess';

describe('what went wrong', () => {
  const refused = new Error('Could not create placements: name taken');
  refused.name = 'HubError';

  it.each([
    [
      'its cause in the same words',
      new ConflictError(refused.message, refused),
      'Could not create placements: name taken',
    ],
    [
      'the same words at every level',
      new ConflictError(
        refused.message,
        new ConflictError(refused.message, refused),
      ),
      'Could not create placements: name taken',
    ],
    [
      'a cause that says more',
      new ForwardedError('The hub does not answer', new Error('ECONNREFUSED')),
      'The hub does not answer; caused by Error: ECONNREFUSED',
    ],
    ['no cause', refused, 'Could not create placements: name taken'],
    ['no error at all', 'broken', 'broken'],
  ])('with %s', (_, error, told) => {
    expect(describeFailure(error)).toBe(told);
  });
});
