import { Progress } from '@backstage/core-components';
import { lazy, Suspense, type ComponentType } from 'react';

/** A field for classic apps, which load the components of fields at once. */
export function lazyField<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): (props: Props) => JSX.Element {
  const Field = lazy(async () => ({
    default: (await load()) as ComponentType<object>,
  }));
  return function LazyField(props: Props) {
    return (
      <Suspense fallback={<Progress />}>
        <Field {...props} />
      </Suspense>
    );
  };
}
