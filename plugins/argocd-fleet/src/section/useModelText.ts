import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import type { ApplicationSet } from 'backstage-plugin-argocd-fleet-common';
import { argocdFleetTranslationRef } from '../messages';

/** How the Applications of an ApplicationSet are delivered, in one word and in a sentence. */
export interface ModelText {
  readonly name: string;
  readonly title: string;
  /** Each model with the number of its Applications, where there are several. */
  readonly counts?: string;
}

/** Returns the function that makes these texts. */
export function useModelText(): (
  set: Pick<ApplicationSet, 'deliveryModel' | 'deliveryModels'>,
) => ModelText {
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  return ({ deliveryModel, deliveryModels = [] }) => {
    if (deliveryModels.length < 2) {
      return {
        name: t(`section.model.${deliveryModel}`),
        title: t(`section.modelTitle.${deliveryModel}`),
      };
    }
    const counts = deliveryModels
      .map(({ model, applications }) =>
        t('section.modelCount', {
          model: t(`section.model.${model}`),
          number: String(applications),
        }),
      )
      .join(' · ');
    return {
      name: t('section.model.mixed'),
      title: t('section.modelTitle.mixed', { models: counts }),
      counts,
    };
  };
}
