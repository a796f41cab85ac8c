import {
  ARGOCD_TEXTS,
  PROVOKED_TEXTS,
  type ArgocdText,
} from '../__testUtils__/argocdTexts';
import { UNREPORTED, type ApplicationState } from '../feedback';
import { shownText } from '../text';
import { deletionFinding, syncFinding } from './errorRecognition';

const ARGOCD = 'openshift-gitops';

/** The state of an Application that has only this error, as it is read from a digest. */
function stateWith({ type, message: text }: ArgocdText): ApplicationState {
  const message = shownText(text);
  return {
    ...UNREPORTED,
    ...(type
      ? { conditions: [{ type, message }] }
      : { failedResources: [{ kind: 'Deployment', name: 'web', message }] }),
  };
}

function findingFor(state: ApplicationState) {
  return (
    deletionFinding('c1', state) ??
    syncFinding('c1', state, {
      argocdNamespace: ARGOCD,
    })
  );
}

const TEXTS = [...PROVOKED_TEXTS, ...ARGOCD_TEXTS];

describe('an error text of Argo CD', () => {
  it.each(TEXTS.map(text => [text.code, text] as const))(
    'is %s: %j',
    (code, text) => {
      const finding = findingFor(stateWith(text));
      expect(finding).toMatchObject({
        code,
        evidence: shownText(text.message),
      });
      expect(`${finding?.title}\n${finding?.message}`).toContain(
        text.names ?? '',
      );
      expect(finding?.fix?.description).not.toBe('');
    },
  );

  it('that keeps Argo CD from listing is about the right for the whole cluster, and offers none for a namespace', () => {
    const text = ARGOCD_TEXTS.find(
      ({ names }) => names === 'list certificates',
    );
    const finding = findingFor(stateWith(text!));
    expect(finding?.fix?.description).toContain('No permission in a namespace');
    expect(finding?.fix?.command).toBeUndefined();
    expect(finding?.fix?.alternatives).toHaveLength(1);
  });

  it('of the present comparison comes before those of an earlier operation', () => {
    const denied = `deployments.apps is forbidden: User "system:serviceaccount:${ARGOCD}:argocd-application-controller" cannot create resource "deployments" in API group "apps" in the namespace "shop"`;
    const state: ApplicationState = {
      ...UNREPORTED,
      failedResources: [{ kind: 'Deployment', name: 'web', message: denied }],
      conditions: [
        { type: 'SyncError', message: `Failed last sync attempt: ${denied}` },
        {
          type: 'ComparisonError',
          message:
            "Failed to load target state: failed to generate manifest for source 1 of 1: rpc error: code = Unknown desc = unable to resolve 'does-not-exist' to a commit SHA",
        },
      ],
    };
    expect(findingFor(state)?.code).toBe('AFC-207');
    expect(
      findingFor({ ...state, conditions: state.conditions.slice(0, 1) })?.code,
    ).toBe('AFC-204');
  });
});

describe('the words of another error', () => {
  const chart =
    'Failed to load target state: failed to generate manifest for source 1 of 1: rpc error: code = Unknown desc = `helm template .` failed exit status 1: Error: execution error at (a.yaml:1:1): ';
  it.each(TEXTS.map(({ message }) => message))(
    'change nothing where a chart prints them: %s',
    message => {
      const forged = {
        code: '',
        type: 'ComparisonError',
        message: chart + message,
      };
      expect(findingFor(stateWith(forged))?.code).toBe('AFC-212');
    },
  );
});
