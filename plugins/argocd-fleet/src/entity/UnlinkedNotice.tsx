import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { APPLICATION_SET_ENTITY_ANNOTATION } from 'backstage-plugin-argocd-fleet-common';
import { argocdFleetTranslationRef } from '../messages';
import { Notice } from '../notice/Notice';
import { annotationExample } from './annotationExample';

/** The entity says nothing about ApplicationSets: how to link it. */
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

/** The entity's annotation cannot be read: what is wrong with it, and how it reads. */
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
