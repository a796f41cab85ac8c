import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import Checkbox from '@material-ui/core/Checkbox';
import FormControlLabel from '@material-ui/core/FormControlLabel';
import TextField from '@material-ui/core/TextField';
import { makeStyles } from '@material-ui/core/styles';
import type {
  ClusterValues,
  PlacementOptions,
} from 'backstage-plugin-argocd-fleet-common';
import { useState } from 'react';
import { argocdFleetTranslationRef } from '../messages';
import { SuggestedList } from './SuggestedList';
import { narrows, type ClusterChoice } from './target';

const useStyles = makeStyles(
  theme => ({
    more: { '& > * + *': { marginTop: 16 } },
    summary: { ...theme.typography.body2, cursor: 'pointer' },
  }),
  { name: 'ArgocdFleetSelectionFields' },
);

/** The fields for which clusters of a namespace a Placement selects. */
export function SelectionFields(props: {
  /** Beginning of the fields' ids. */
  readonly id: string;
  readonly value: ClusterChoice;
  readonly namespace: string | undefined;
  /** What the hub has; undefined while it is not known. */
  readonly options: PlacementOptions | undefined;
  readonly errors: object | undefined;
  readonly disabled: boolean;
  readonly onChange: (change: ClusterChoice) => void;
}) {
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const classes = useStyles();
  const [opened, setOpen] = useState<boolean>();
  const { id, value, namespace, options, disabled } = props;
  const errors = props.errors as
    Partial<Record<keyof ClusterChoice, object>> | undefined;
  const errorOf = (name: keyof ClusterChoice) => firstError(errors?.[name]);
  // Nobody overlooks what is chosen, or wrong, there.
  const isOpen =
    opened ??
    [value.clusterClaims, value.tolerations].some(texts => texts?.length);
  const count = (clusters: number) => t('target.clusters', { count: clusters });
  // `allClusters` means nothing beside a choice, and must not come back when that is removed.
  const onChange = (change: ClusterChoice) =>
    props.onChange(
      narrows({ ...value, ...change })
        ? { ...change, allClusters: undefined }
        : change,
    );
  return (
    <>
      <SuggestedList
        id={`${id}_clusterSets`}
        label={t('target.clusterSets')}
        help={t('target.clusterSetsHelp')}
        values={value.clusterSets ?? []}
        error={errorOf('clusterSets')}
        disabled={disabled}
        suggestions={setsFor(options, namespace).map(({ name, clusters }) => ({
          name,
          details: count(clusters),
        }))}
        onChange={clusterSets => onChange({ clusterSets })}
      />
      <SuggestedList
        id={`${id}_clusterLabels`}
        label={t('target.clusterLabels')}
        help={t('target.clusterLabelsHelp')}
        values={value.clusterLabels ?? []}
        error={errorOf('clusterLabels')}
        disabled={disabled}
        suggestions={pairsOf(options?.labels).map(({ pair, clusters }) => ({
          name: pair,
          details: count(clusters),
        }))}
        onChange={clusterLabels => onChange({ clusterLabels })}
      />
      <details open={isOpen} className={classes.more}>
        <summary
          className={classes.summary}
          onClick={event => {
            event.preventDefault();
            setOpen(!isOpen);
          }}
        >
          {t('target.claimsAndTaints')}
        </summary>
        <SuggestedList
          id={`${id}_clusterClaims`}
          label={t('target.clusterClaims')}
          help={t('target.clusterClaimsHelp')}
          values={value.clusterClaims ?? []}
          error={errorOf('clusterClaims')}
          disabled={disabled}
          suggestions={pairsOf(options?.claims).map(({ pair, clusters }) => ({
            name: pair,
            details: count(clusters),
          }))}
          onChange={clusterClaims => onChange({ clusterClaims })}
        />
        <SuggestedList
          id={`${id}_tolerations`}
          label={t('target.tolerations')}
          help={t('target.tolerationsHelp')}
          values={value.tolerations ?? []}
          error={errorOf('tolerations')}
          disabled={disabled}
          suggestions={(options?.taints ?? []).map(({ taint, clusters }) => ({
            name: taint,
            details: count(clusters),
          }))}
          onChange={tolerations => onChange({ tolerations })}
        />
      </details>
      <TextField
        id={`${id}_numberOfClusters`}
        type="number"
        inputProps={{ min: 1, step: 1 }}
        label={t('target.numberOfClusters')}
        disabled={disabled}
        value={value.numberOfClusters ?? ''}
        error={errorOf('numberOfClusters') !== undefined}
        helperText={
          errorOf('numberOfClusters') ?? t('target.numberOfClustersHelp')
        }
        onChange={({ target }) =>
          onChange({
            numberOfClusters:
              target.value === '' ? undefined : Number(target.value),
          })
        }
      />
      <FormControlLabel
        label={t('target.allClusters')}
        control={
          <Checkbox
            color="primary"
            checked={Boolean(value.allClusters)}
            disabled={disabled || narrows(value)}
            onChange={(_, allClusters) =>
              onChange({ allClusters: allClusters || undefined })
            }
          />
        }
      />
    </>
  );
}

/** What the portal may write in a namespace; undefined while the hub or the namespace is not known. */
export function namespaceIn(
  options: PlacementOptions | undefined,
  namespace: string | undefined,
) {
  return options?.namespaces.find(({ name }) => name === namespace);
}

/** The sets that are bound to the namespace; all of the hub while the namespace is not known. */
function setsFor(
  options: PlacementOptions | undefined,
  namespace: string | undefined,
): PlacementOptions['clusterSets'] {
  const bound = namespaceIn(options, namespace);
  return (options?.clusterSets ?? []).filter(
    ({ name }) => !bound || bound.clusterSets.includes(name),
  );
}

/**
 * Values as `key=value`: those that people gave, then those with a domain, which are mostly of software, then those that are
 * another one on each cluster.
 */
function pairsOf(all: readonly ClusterValues[] = []) {
  const rank = ({ key, values: [first, second] }: ClusterValues) =>
    second && first.clusters === 1 ? 2 : Number(key.includes('/'));
  return [...all]
    .sort((a, b) => rank(a) - rank(b))
    .flatMap(({ key, values }) =>
      values
        // A Placement's form takes no empty value.
        .filter(({ value }) => value !== '')
        .map(({ value, clusters }) => ({ pair: `${key}=${value}`, clusters })),
    );
}

interface ErrorTree {
  readonly __errors?: readonly string[];
  readonly [field: string]: unknown;
}

/** The first error of a value or of one of its items. */
export function firstError(errors: object | undefined): string | undefined {
  const { __errors: own = [], ...items } = (errors ?? {}) as ErrorTree;
  return (
    own[0] ??
    Object.values(items)
      .map(item => firstError(item as object))
      .find(Boolean)
  );
}
