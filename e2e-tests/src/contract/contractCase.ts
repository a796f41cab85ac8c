import { INTENDED_DIFFERENCES } from './intendedDifferences';
import { HubAbility, IS_EMBEDDED, LACKING } from './hubUnderTest';

/** One promise of the Kubernetes API; what it expects is what kube-apiserver does. */
export interface ContractCase {
  readonly title: string;
  /** Whether the server can do what the case needs. */
  readonly runs: boolean;
  run(): Promise<void>;
}

/** Declares a case of an area, and what not every real server that the suite is pointed at can do. */
export type DeclareCase = (
  title: string,
  run: () => Promise<void>,
  needs?: HubAbility,
) => void;

const intended = new Set(INTENDED_DIFFERENCES.map(({ id }) => id));
const declared = new Set<string>();

/** A difference that is none any more has to leave the list. */
async function mustFail(run: () => Promise<void>): Promise<void> {
  const outcome = await run().then(
    () => 'like Kubernetes',
    () => 'different',
  );
  expect(outcome).toBe('different');
}

/** The cases of an area; on the embedded hub, those that differ by intent are turned round. */
export function casesOf(
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
    const runs = needs === undefined || !LACKING.has(needs);
    cases.push(
      IS_EMBEDDED && intended.has(id)
        ? {
            title: `${title} (differs by intent)`,
            runs,
            run: () => mustFail(run),
          }
        : { title, runs, run },
    );
  });
  return cases;
}

/** Differences listed for cases that do not exist. */
export function unknownDifferences(): string[] {
  return [...intended].filter(id => !declared.has(id));
}
