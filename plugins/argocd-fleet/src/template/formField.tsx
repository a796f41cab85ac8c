import { createFormField } from '@backstage/plugin-scaffolder-react/alpha';
import { ApplicationSetPicker } from './ApplicationSetPicker';
import { PlacementChangePicker } from './PlacementChangePicker';
import {
  APPLICATION_SET_FIELD,
  PLACEMENT_CHANGE_FIELD,
  TARGET_FIELD,
} from './target';
import { TargetPicker } from './TargetPicker';
import { validatePlacementChange } from './validatePlacementChange';
import { validateTarget } from './validateTarget';

/** The field for an ApplicationSet, for apps on the new frontend system. */
export const applicationSetFormField = createFormField({
  name: APPLICATION_SET_FIELD,
  component: ApplicationSetPicker,
});

/** The field for where an ApplicationSet runs, for apps on the new frontend system. */
export const placementChangeFormField = createFormField({
  name: PLACEMENT_CHANGE_FIELD,
  component: PlacementChangePicker,
  validation: validatePlacementChange,
});

/** The field for the clusters of an application, for apps on the new frontend system. */
export const targetFormField = createFormField({
  name: TARGET_FIELD,
  component: TargetPicker,
  validation: validateTarget,
});
