import { createFormField } from '@backstage/plugin-scaffolder-react/alpha';
import { ApplicationSetPicker } from './ApplicationSetPicker';
import { APPLICATION_SET_FIELD, TARGET_FIELD } from './target';
import { TargetPicker } from './TargetPicker';
import { validateTarget } from './validateTarget';

/** The field for an ApplicationSet, for apps on the new frontend system. */
export const applicationSetFormField = createFormField({
  name: APPLICATION_SET_FIELD,
  component: ApplicationSetPicker,
});

/** The field for the clusters of an application, for apps on the new frontend system. */
export const targetFormField = createFormField({
  name: TARGET_FIELD,
  component: TargetPicker,
  validation: validateTarget,
});
