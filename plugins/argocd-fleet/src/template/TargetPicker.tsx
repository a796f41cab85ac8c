import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { makeStyles } from '@material-ui/core/styles';
import type { FieldExtensionComponentProps } from '@backstage/plugin-scaffolder-react';
import {
  matchesName,
  type PlacementOptions,
} from 'backstage-plugin-argocd-fleet-common';
import { useEffect, useLayoutEffect } from 'react';
import { usePlacementOptions, usePlacementPreview } from '../live/queries';
import { serverMessageOf } from '../live/requestProblem';
import { argocdFleetTranslationRef } from '../messages';
import { PreviewText, useSelectedText } from './PreviewText';
import { firstError, namespaceIn, SelectionFields } from './SelectionFields';
import { SuggestedText } from './SuggestedText';
import { isChosen, selectionOf, withoutUndefined, type Target } from './target';
import { isRefusal } from './validateTarget';

const useStyles = makeStyles(
  { fields: { display: 'flex', flexDirection: 'column', gap: 16 } },
  { name: 'ArgocdFleetTargetPicker' },
);

/**
 * The form field for the clusters of a new application: hub, namespace, cluster sets and labels as the API knows them,
 * with the clusters that they select now. Without the API every value can still be typed.
 */
export function TargetPicker(props: FieldExtensionComponentProps<Target>) {
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const classes = useStyles();
  const { formData: target = {}, idSchema } = props;
  const onChange = (next: Target) => props.onChange(withoutUndefined(next));
  const disabled = Boolean(props.disabled || props.readonly);
  const options = usePlacementOptions();
  const chosen = isChosen(target) ? selectionOf(target) : undefined;
  const preview = usePlacementPreview(chosen);
  const hubs = options.data?.items ?? [];
  const ofHub = hubs.find(({ hub }) => hub === target.hub);

  const onlyHub = hubs.length === 1 ? hubs[0] : undefined;
  useEffect(() => {
    if (target.hub === undefined && onlyHub) {
      const { allClusters } = target;
      onChange({ ...target, ...startOn(onlyHub.hub, onlyHub), allClusters });
    }
    // eslint-disable-next-line react-hooks/exhaustive-deps -- only when the answer comes: an emptied text stays empty
  }, [onlyHub?.hub]);

  const selected = useSelectedText(chosen && preview.data);
  // Before the next event: what is typed between a render and a later effect would be lost.
  useLayoutEffect(() => {
    if (selected !== undefined && target.selected !== selected) {
      onChange({ ...target, selected });
    }
    // eslint-disable-next-line react-hooks/exhaustive-deps -- only these two: the form keeps what it got
  }, [selected, target.selected]);

  const update = (change: Partial<Target>) => {
    // Nothing is known of another choice until its preview comes.
    const next = { ...target, ...change, selected: undefined };
    onChange(next);
  };
  const errorOf = (name: keyof Target) => firstError(props.errorSchema?.[name]);

  const error = options.error ?? preview.error;
  return (
    <div className={classes.fields}>
      <SuggestedText
        id={`${idSchema.$id}_hub`}
        label={t('target.hub')}
        help={t('target.hubHelp')}
        value={target.hub}
        error={errorOf('hub')}
        disabled={disabled}
        suggestions={hubs.map(({ hub }) => ({ name: hub, details: '' }))}
        onChange={hub =>
          update(
            startOn(
              hub,
              hubs.find(it => it.hub === hub),
            ),
          )
        }
      />
      <SuggestedText
        id={`${idSchema.$id}_namespace`}
        label={t('target.namespace')}
        help={t('target.namespaceHelp')}
        value={target.namespace}
        error={errorOf('namespace')}
        disabled={disabled}
        suggestions={(ofHub?.namespaces ?? []).map(
          ({ name, applicationSets }) => ({
            name,
            details: t('target.namespaceSets', { count: applicationSets }),
          }),
        )}
        onChange={namespace =>
          update({ namespace, ...projectIn(ofHub, namespace, target.project) })
        }
      />
      <SuggestedText
        id={`${idSchema.$id}_project`}
        label={t('target.project')}
        help={t('target.projectHelp')}
        isOptional
        value={target.project}
        error={errorOf('project')}
        disabled={disabled}
        suggestions={projectsIn(ofHub, target.namespace).map(name => ({
          name,
          details: '',
        }))}
        onChange={project => update({ project })}
      />
      <SelectionFields
        id={idSchema.$id}
        value={target}
        namespace={target.namespace}
        options={ofHub}
        errors={props.errorSchema}
        disabled={disabled}
        onChange={update}
      />
      <PreviewText
        preview={chosen && preview.data}
        name={nameIn(props.formContext)}
        instead={insteadOfPreview()}
      />
    </div>
  );

  function insteadOfPreview(): string {
    if (ofHub?.emptyReason !== undefined && !preview.error) {
      return ofHub.emptyReason;
    }
    if (error) {
      const reason = serverMessageOf(error);
      if (isRefusal(error)) {
        return reason;
      }
      return t('target.away', {
        reason: /[.!?]$/.test(reason) ? reason : `${reason}.`,
      });
    }
    if (chosen) {
      return t('target.preview.waiting');
    }
    return t(
      selectionOf(target)
        ? 'target.preview.nothingChosen'
        : 'target.preview.incomplete',
    );
  }
}

/** The template's value `name`, by which its ApplicationSet is called. */
function nameIn(context: unknown): string | undefined {
  const { formData } = (context ?? {}) as {
    readonly formData?: { readonly name?: unknown };
  };
  return typeof formData?.name === 'string' ? formData.name : undefined;
}

/** A choice of the hub. The namespace of another hub is left; the only one of this hub is chosen. */
function startOn(
  hub: string | undefined,
  options: PlacementOptions | undefined,
): Target {
  const [first, ...others] = options?.namespaces ?? [];
  const namespace = first && others.length === 0 ? first.name : undefined;
  return {
    hub,
    ...(options && {
      namespace,
      project: undefined,
      ...projectIn(options, namespace, undefined),
      clusterSets: [],
      clusterLabels: [],
      allClusters: undefined,
    }),
  };
}

/** AppProjects that the namespace allows by their full names. */
function projectsIn(
  options: PlacementOptions | undefined,
  namespace: string | undefined,
): string[] {
  const { projects = [] } = namespaceIn(options, namespace) ?? {};
  return projects.filter(name => !name.endsWith('*'));
}

/**
 * The AppProject after a choice of the namespace: one that it does not allow would be refused when the form is sent, so
 * such a one is left for the only one that is offered, or for none.
 */
function projectIn(
  options: PlacementOptions | undefined,
  namespace: string | undefined,
  chosen: string | undefined,
): Pick<Target, 'project'> {
  const found = namespaceIn(options, namespace);
  if (!found || (chosen && matchesName(found.projects, chosen))) {
    return {};
  }
  const [project, ...others] = projectsIn(options, namespace);
  return { project: others.length === 0 ? project : undefined };
}
