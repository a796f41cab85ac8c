import { Progress } from '@backstage/core-components';
import type { FieldExtensionComponentProps } from '@backstage/plugin-scaffolder-react';
import { lazy, Suspense } from 'react';
import type { Target } from './target';

const Picker = lazy(async () => ({
  default: (await import('./TargetPicker')).TargetPicker,
}));

/** The field for classic apps, which load the components of fields at once. */
export function LazyTargetPicker(props: FieldExtensionComponentProps<Target>) {
  return (
    <Suspense fallback={<Progress />}>
      <Picker {...props} />
    </Suspense>
  );
}
