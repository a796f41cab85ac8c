import { createFormField } from '@backstage/plugin-scaffolder-react/alpha';
import { TARGET_FIELD } from './target';
import { TargetPicker } from './TargetPicker';
import { validateTarget } from './validateTarget';

/** The field for apps on the new frontend system. */
export const targetFormField = createFormField({
  name: TARGET_FIELD,
  component: TargetPicker,
  validation: validateTarget,
});
