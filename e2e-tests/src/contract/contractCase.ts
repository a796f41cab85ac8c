import {
  HubCapability,
  IS_EMBEDDED,
  MISSING_CAPABILITIES,
} from './hubUnderTest';
import { INTENDED_DIFFERENCES } from './intendedDifferences';

/** One guarantee of the Kubernetes API, tested against the behaviour of kube-apiserver. */
export interface ContractCase {
  readonly title: string;
  /** Whether the server has the capability that the case needs. */
  readonly isSupported: boolean;
  run(): Promise<void>;
}

/** Declares a case of an area; `needs` names a capability that some real servers lack. */
export type DeclareCase = (
  title: string,
  run: () => Promise<void>,
  needs?: HubCapability,
) => void;

const intended = new Set(INTENDED_DIFFERENCES.map(({ id }) => id));
const declared = new Set<string>();

/** Fails when the case passes: the difference no longer exists and must leave the list. */
async function mustFail(run: () => Promise<void>): Promise<void> {
  const outcome = await run().then(
    () => 'like Kubernetes',
    () => 'different',
  );
  expect(outcome).toBe('different');
}

/** The cases of an area. On the embedded hub, a case with an intended difference must fail. */
export function collectCases(
  area: string,
  declare: (contractCase: DeclareCase) => void,
): ContractCase[] {
  const cases: ContractCase[] = [];
  declare((title, run, needs) => {
    const id = `${area}: ${title}`;
    if (declared.has(id)) {
      throw new Error(`there are two cases "${id}"`);
    }
    declared.add(id);
    const isSupported = needs === undefined || !MISSING_CAPABILITIES.has(needs);
    cases.push(
      IS_EMBEDDED && intended.has(id)
        ? {
            title: `${title} (intended difference)`,
            isSupported,
            run: () => mustFail(run),
          }
        : { title, isSupported, run },
    );
  });
  return cases;
}

/** Intended differences whose case does not exist. */
export function unknownDifferences(): string[] {
  return [...intended].filter(id => !declared.has(id));
}
