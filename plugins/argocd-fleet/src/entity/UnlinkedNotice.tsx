import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { APPLICATION_SET_ENTITY_ANNOTATION } from 'backstage-plugin-argocd-fleet-common';
import { argocdFleetTranslationRef } from '../messages';
import { Notice } from '../notice/Notice';
import { annotationExample } from './annotationExample';

/** Notice for an entity without the annotation, with an example of it. */
export function UnlinkedNotice(props: { readonly entityName: string }) {
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  return (
    <Notice
      kind="hint"
      title={t('notices.noAnnotation.title')}
      code={annotationExample(props.entityName)}
    >
      <p>{t('notices.noAnnotation.body')}</p>
    </Notice>
  );
}

/** Notice for an invalid annotation: what is wrong with it, and an example. */
export function AnnotationProblemNotice(props: {
  readonly problem: string;
  readonly entityName: string;
}) {
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  return (
    <Notice
      kind="warning"
      title={t('notices.problem.title')}
      code={annotationExample(props.entityName)}
    >
      <p>{props.problem}</p>
      <p>
        {t('notices.problem.body', {
          annotation: APPLICATION_SET_ENTITY_ANNOTATION,
        })}
      </p>
    </Notice>
  );
}
